package dev.bridle.core.work.policy;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.permission.PermissionPolicy;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.skill.Skills;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.skill.v1.Skill;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.Optional;

/**
 * Requires human approval for actions that use a skill with {@code requires_approval}, even if the
 * persona policy would allow them (protocol section "Skill"), and allows what that policy leaves
 * open if the worker asks no people ({@code policy_only}). Denials of that policy stand. The skills
 * are those of the task's session, read for each request; an action uses the skill whose id or name
 * equals its tool.
 */
public final class SkillApproval implements PermissionPolicy {
  private final PermissionPolicy policy;
  private final SessionStore sessions;
  private final TenantRecords<Skill> skills;

  public SkillApproval(CoreContext context) {
    this.policy = new PersonaPolicy(context.layout());
    this.sessions = new SessionStore(context.layout(), context.log());
    this.skills = new TenantRecords<>(context.layout(), Skills.SKILL);
  }

  @Override
  public Optional<Ruling> decide(
      TaskChange change, RequestPermissionRequest request, PermissionAction action) {
    return policy
        .decide(change, request, action)
        .or(
            () ->
                request.getPolicyOnly() ? Optional.of(unasked(request, action)) : Optional.empty())
        .filter(
            ruling ->
                ruling.verdict() != PermissionVerdict.PERMISSION_VERDICT_ALLOWED
                    || requiring(
                            change.write().tr(),
                            change.write().tenant(),
                            change.task().getSessionId(),
                            action)
                        .isEmpty());
  }

  /** The ruling about an action without side effects of which the worker asks no people. */
  private static Ruling unasked(RequestPermissionRequest request, PermissionAction action) {
    String reason = "It has no side effects, and no policy is against it.";
    return new Ruling(
        PermissionVerdict.PERMISSION_VERDICT_ALLOWED,
        reason,
        EventDraft.of(
            EventKinds.ACTION_ALLOWED,
            Payload.of()
                .text("reason", reason)
                .text("step_key", request.getStepKey())
                .text("fingerprint", action.getFingerprint())
                .json("action", ResourceJson.of(action))));
  }

  /** Returns the skill of a session that requires approval of an action. */
  Optional<Skill> requiring(
      ReadTransaction tr, String tenant, String session, PermissionAction action) {
    return action.hasTool()
        ? sessions.skillsOf(tr, tenant, session).stream()
            .flatMap(id -> skills.records().get(tr, tenant, id).stream())
            .filter(skill -> skill.getRequiresApproval() && uses(action, skill))
            .findFirst()
        : Optional.empty();
  }

  private static boolean uses(PermissionAction action, Skill skill) {
    return action.getTool().equals(skill.getId()) || action.getTool().equals(skill.getName());
  }
}
