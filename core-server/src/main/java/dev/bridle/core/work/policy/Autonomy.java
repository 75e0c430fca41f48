package dev.bridle.core.work.policy;

import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.persona.v1.Persona;
import dev.bridle.worker.v1.RequestPermissionRequest;

/**
 * What a persona says of an action, as a table: first its tools and capabilities, then its tier
 * (protocol section "Persona"). What an action does not say counts against it: one that names no
 * tool is on no list of tools, and one that says nothing of side effects has some.
 */
enum Autonomy {
  /** The action is left to approvals, grants and people. */
  ASK,
  /** It may be done. */
  ALLOW,
  /** It is recorded as what would have been done. */
  SHADOW,
  /** It is recorded as a proposal. */
  PROPOSE,
  /** Its tool is not one of the persona's. */
  DENY_TOOL,
  /** Its kind is not one of the persona's capabilities. */
  DENY_CAPABILITY;

  /** What an action without side effects calls them. */
  static final String NO_SIDE_EFFECT = "none";

  static Autonomy of(Persona persona, RequestPermissionRequest asked) {
    var action = asked.getAction();
    if (persona.getToolsCount() > 0 && !persona.getToolsList().contains(action.getTool())) {
      return DENY_TOOL;
    }
    if (persona.getCapabilitiesCount() > 0
        && !persona.getCapabilitiesList().contains(action.getKind())) {
      return DENY_CAPABILITY;
    }
    boolean harmless = action.getSideEffect().equals(NO_SIDE_EFFECT);
    return switch (persona.getAutonomyTier()) {
      case AUTONOMY_TIER_SHADOW -> harmless ? ALLOW : SHADOW;
      case AUTONOMY_TIER_SUGGEST -> harmless ? ALLOW : PROPOSE;
      case AUTONOMY_TIER_ACT_AUTO -> wantsPeople(asked) ? ASK : ALLOW;
      default -> ASK;
    };
  }

  /** A workflow that wants a person's word gets it whatever the tier. */
  private static boolean wantsPeople(RequestPermissionRequest asked) {
    return asked.getSource() == PermissionSource.PERMISSION_SOURCE_HITL
        || asked.getApproversCount() > 0
        || asked.getApproversRequired() > 1;
  }
}
