package dev.bridle.core.work.policy;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.work.permission.PermissionPolicy;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.ApprovalRole;
import dev.bridle.permission.v1.DecisionEvidence;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Requires what approval rules say for the actions that they match, whatever the persona's tier and
 * the session's skills would allow. Denials stand. A request that the rules and the agent together
 * leave nobody to approve is denied. The rules are read for each request, so that a change applies
 * to running tasks.
 */
public final class RuledApproval implements PermissionPolicy {
  private static final List<ApprovalChannel> SIGNED_ONLY =
      List.of(ApprovalChannel.APPROVAL_CHANNEL_HARP);

  private final PermissionPolicy policy;
  private final Configurations configurations;
  private final Answerers answerers;

  public RuledApproval(CoreContext context) {
    this.policy = new SkillApproval(context);
    this.configurations = context.configurations();
    this.answerers = new Answerers(context);
  }

  @Override
  public Optional<Ruling> decide(
      TaskChange change, RequestPermissionRequest request, PermissionAction action) {
    Optional<Ruling> ruling = policy.decide(change, request, action);
    boolean allowed =
        ruling
            .filter(one -> one.verdict() == PermissionVerdict.PERMISSION_VERDICT_ALLOWED)
            .isPresent();
    if (ruling.isPresent() && !allowed) {
      return ruling;
    }
    MatchingRules rules = matching(change, action, request.getSignedOnly());
    if (rules.isEmpty()) {
      return ruling;
    }
    return unsatisfiable(rules, request.getApproversList(), configuration(change.write()))
        .or(() -> onlyTheSubmitter(change, rules, request.getApproversList()))
        .map(reason -> denial(reason, rules, request, action));
  }

  @Override
  public Optional<ApprovalRequirement> requirement(
      TaskChange change, PermissionAction action, boolean signedOnly) {
    return matching(change, action, signedOnly).requirement();
  }

  @Override
  public boolean namesTool(TaskChange change, String tool) {
    return MatchingRules.ofTask(
            ApprovalRules.in(configuration(change.write())),
            change.task().getWorkspaceId(),
            change.task().getPersonaId())
        .stream()
        .anyMatch(rule -> rule.getToolsList().contains(tool));
  }

  /** Returns why nobody can approve where who has submitted the task must not. */
  private Optional<String> onlyTheSubmitter(
      TaskChange change, MatchingRules rules, List<String> named) {
    ApprovalRequirement required = rules.requirement().orElseThrow();
    if (!required.getNotSubmitter()) {
      return Optional.empty();
    }
    Set<String> submitters = TaskCreationRules.submitters(change.record());
    List<String> others = named.stream().filter(actor -> !submitters.contains(actor)).toList();
    boolean canAnswer =
        named.isEmpty()
            ? othersThan(change, submitters)
            : canGive(required, others, roles(change.write()));
    return canAnswer
        ? Optional.empty()
        : Optional.of("Nobody but who has submitted the task could give what the rules require.");
  }

  @Override
  public boolean isAlone(TaskChange change, String actor, boolean isSigned) {
    boolean byDevices = !ApprovalDevices.good(configuration(change.write())).isEmpty();
    return (isSigned || !byDevices) && !othersThan(change, Set.of(actor));
  }

  private boolean othersThan(TaskChange change, Set<String> actors) {
    Write write = change.write();
    return answerers.anyBut(write.tr(), write.tenant(), configuration(write), actors);
  }

  @Override
  public Set<String> rolesOf(Write write, String actor) {
    return roles(write).stream()
        .filter(role -> role.getActorsList().contains(actor))
        .map(ApprovalRole::getName)
        .collect(Collectors.toSet());
  }

  @Override
  public boolean counts(Write write, PermissionAnswer answer) {
    if (!answer.hasEvidence()) {
      return true;
    }
    return isGood(write, answer.getEvidence().getApprovalDeviceId())
        && answer.getEvidence().getEra() == write.order().era()
        && write.nowMillis() < countsUntil(answer.getEvidence());
  }

  @Override
  public boolean counts(Write write, PermissionGrant grant) {
    return !grant.hasEra()
        || (grant.getEra() == write.order().era()
            && grant.getApprovalDeviceIdsList().stream().allMatch(id -> isGood(write, id)));
  }

  private boolean isGood(Write write, String approvalDeviceId) {
    return ApprovalDevices.find(configuration(write), approvalDeviceId)
        .filter(known -> !known.hasRevokedAt())
        .isPresent();
  }

  private static long countsUntil(DecisionEvidence evidence) {
    try {
      return Decision.parse(evidence.getDecision().toByteArray())
          .expiresAt()
          .plus(DecisionRule.SKEW)
          .toEpochMilli();
    } catch (HarpException e) {
      throw new IllegalStateException("a decision that was verified can't be read", e);
    }
  }

  private MatchingRules matching(TaskChange change, PermissionAction action, boolean signedOnly) {
    MatchingRules rules =
        MatchingRules.of(
            ApprovalRules.in(configuration(change.write())),
            change.task().getWorkspaceId(),
            change.task().getPersonaId(),
            action);
    return signedOnly ? rules.withSignedOnly() : rules;
  }

  private List<ApprovalRole> roles(Write write) {
    return ApprovalRoles.in(configuration(write));
  }

  private Configuration configuration(Write write) {
    return configurations.of(write.tr(), write.tenant());
  }

  /**
   * Returns why nobody can approve.
   *
   * @param named the approvers that the agent names; empty: anybody
   */
  static Optional<String> unsatisfiable(
      MatchingRules rules, List<String> named, Configuration configuration) {
    if (rules.leaveNoChannel()) {
      return Optional.of("The approval rules leave no channel for an answer.");
    }
    ApprovalRequirement required = rules.requirement().orElseThrow();
    List<ApprovalRole> roles = ApprovalRoles.in(configuration);
    if (required.getChannelsList().equals(SIGNED_ONLY)
        && !canGive(required, withDevice(named, configuration), roles)) {
      return Optional.of("Signed decisions alone are taken, and too few approvers have a device.");
    }
    return named.isEmpty() || canGive(required, named, roles)
        ? Optional.empty()
        : Optional.of("The approvers that the agent names can't give what the rules require.");
  }

  /** Returns who can answer by a device, among those named. */
  private static List<String> withDevice(List<String> named, Configuration configuration) {
    return ApprovalDevices.good(configuration).stream()
        .map(ApprovalDevice::getPrincipal)
        .filter(principal -> named.isEmpty() || named.contains(principal))
        .distinct()
        .toList();
  }

  private static boolean canGive(
      ApprovalRequirement required, List<String> named, List<ApprovalRole> roles) {
    return required.getApprovers() <= named.size()
        && required.getRolesList().stream()
            .allMatch(needed -> members(needed.getRole(), named, roles) >= needed.getCount());
  }

  private static long members(String name, List<String> named, List<ApprovalRole> roles) {
    return roles.stream()
        .filter(role -> role.getName().equals(name))
        .flatMap(role -> role.getActorsList().stream())
        .filter(named::contains)
        .count();
  }

  private static Ruling denial(
      String reason,
      MatchingRules rules,
      RequestPermissionRequest request,
      PermissionAction action) {
    return new Ruling(
        PermissionVerdict.PERMISSION_VERDICT_DENIED,
        reason,
        EventDraft.of(
            EventKinds.TOOL_DENIED,
            Payload.of()
                .text("code", "policy_unsatisfiable")
                .text("reason", reason)
                .text("step_key", request.getStepKey())
                .text("fingerprint", action.getFingerprint())
                .json("policy", ResourceJson.of(rules.requirement().orElseThrow()))
                .json("action", ResourceJson.of(action))));
  }
}
