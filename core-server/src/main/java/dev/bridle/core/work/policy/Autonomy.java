package dev.bridle.core.work.policy;

import dev.bridle.core.work.permission.PermissionPolicy;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.persona.v1.Persona;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.List;
import java.util.Set;

/**
 * A persona's decision about an action, as a table: first its tools and capabilities, then its tier
 * (protocol section "Persona"). Missing members count against the action: one without a tool is on
 * no list of tools, and one without side effects stated has some.
 */
enum Autonomy {
  /** The action is left to approvals, grants and people. */
  ASK("The persona's tier, or the agent, asks for approval."),
  /** It is allowed. */
  ALLOW("The persona's tier allows it."),
  /** It is not done, and recorded as a shadowed action. */
  SHADOW("The persona only watches: nothing is done, and this is recorded."),
  /** It is not done, and recorded as a proposal. */
  PROPOSE("The persona only proposes: nothing is done, and this is recorded."),
  /** Its tool is not one of the persona's. */
  DENY_TOOL("The persona may not use this tool."),
  /** Its kind is not one of the persona's capabilities. */
  DENY_CAPABILITY("The persona may not do this kind of action.");

  private static final Set<String> OF_NAMELESS_TOOLS = Set.of("command", "edit", "delete", "move");

  private final String reason;

  Autonomy(String reason) {
    this.reason = reason;
  }

  /** Returns why, for agents and users. */
  String reason() {
    return reason;
  }

  static Autonomy of(Persona persona, RequestPermissionRequest asked) {
    var action = asked.getAction();
    if (persona.getToolsCount() > 0 && !isAmong(persona.getToolsList(), action)) {
      return DENY_TOOL;
    }
    if (persona.getCapabilitiesCount() > 0
        && !persona.getCapabilitiesList().contains(action.getKind())) {
      return DENY_CAPABILITY;
    }
    boolean harmless = action.getSideEffect().equals(PermissionPolicy.NO_SIDE_EFFECT);
    return switch (persona.getAutonomyTier()) {
      case AUTONOMY_TIER_SHADOW -> harmless ? ALLOW : SHADOW;
      case AUTONOMY_TIER_SUGGEST -> harmless ? ALLOW : PROPOSE;
      case AUTONOMY_TIER_ACT_AUTO -> requiresApproval(asked) ? ASK : ALLOW;
      default -> ASK;
    };
  }

  /**
   * Agents that give their tools no name are known by the kind of action, which still counts where
   * they come to give one.
   */
  private static boolean isAmong(List<String> tools, AskedAction action) {
    return tools.contains(action.getTool())
        || (OF_NAMELESS_TOOLS.contains(action.getKind()) && tools.contains(action.getKind()));
  }

  /** Workflows that require human approval get it whatever the tier. */
  private static boolean requiresApproval(RequestPermissionRequest asked) {
    return asked.getSource() == PermissionSource.PERMISSION_SOURCE_HITL
        || asked.getApproversCount() > 0
        || asked.getApproversRequired() > 1;
  }
}
