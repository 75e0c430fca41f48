package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.Optional;
import java.util.Set;

/**
 * Decides permission requests of workers before approvals, standing grants and people do. Called
 * once per step key and lease, in the transaction that responds.
 */
public interface PermissionPolicy {
  /** The {@code side_effect} of an action without side effects. */
  String NO_SIDE_EFFECT = "none";

  /**
   * A decision.
   *
   * @param verdict whether the action is allowed
   * @param reason the reason, for the agent
   * @param event the event of the decision
   */
  record Ruling(PermissionVerdict verdict, String reason, EventDraft event) {}

  /** Returns the decision; empty to leave it to approvals, grants and people. */
  Optional<Ruling> decide(
      TaskChange change, RequestPermissionRequest request, PermissionAction action);

  /**
   * Returns what an approval of an action requires, where approval rules match it.
   *
   * @param signedOnly whether the requester takes decisions of devices alone
   */
  default Optional<ApprovalRequirement> requirement(
      TaskChange change, PermissionAction action, boolean signedOnly) {
    return Optional.empty();
  }

  /** Returns whether an approval rule of the task names a tool. */
  default boolean namesTool(TaskChange change, String tool) {
    return false;
  }

  /**
   * Returns whether an answer still counts: that of a device ends with the decision's time, and
   * with the device's revocation.
   */
  default boolean counts(Write write, PermissionAnswer answer) {
    return true;
  }

  /** Returns whether a standing grant still counts, as far as devices have signed it. */
  default boolean counts(Write write, PermissionGrant grant) {
    return true;
  }

  /**
   * Returns whether nobody else than an actor could answer a task's permission requests.
   *
   * @param isSigned whether the actor answers by a device; a credential is not alone beside a
   *     device, whoever has it
   */
  default boolean isAlone(TaskChange change, String actor, boolean isSigned) {
    return false;
  }

  /** Returns the roles that an actor has as an approver. */
  default Set<String> rolesOf(Write write, String actor) {
    return Set.of();
  }
}
