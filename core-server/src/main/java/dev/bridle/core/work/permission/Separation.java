package dev.bridle.core.work.permission;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.List;
import java.util.Optional;

/**
 * Keeps apart who acts and who permits it. The actor whose worker asks, and that of the task's
 * newest lease, can't answer; neither can who has submitted the task, where a rule says so.
 */
final class Separation {
  private Separation() {}

  /** Checks that a worker names other approvers than its own actor; else {@code 400}. */
  static void needOthers(TaskChange change, RequestPermissionRequest request) {
    String own = leaseActor(change);
    if (!own.isEmpty() && request.getApproversList().contains(own)) {
      throw ProtocolException.invalid(
          "approvers", "must not name the actor that asks, '" + own + "'");
    }
  }

  /** Returns the actor of the task's newest lease; empty for a lease from before it was kept. */
  static String leaseActor(TaskChange change) {
    return change.record().getLease().getActor();
  }

  /**
   * Checks that an actor may answer a request; {@code permission_denied} if not.
   *
   * @return whether it answers its own question, since nobody else could
   */
  static boolean needOther(
      PermissionPolicy policy, TaskChange change, PermissionRecord record, AnswerSource source) {
    PermissionRequest request = record.getRequest();
    String actor = source.actor();
    if (request.getRequest().getPolicy().getNotSubmitter() && isSubmitter(change, actor)) {
      throw refused(
          request,
          "not_submitter",
          "An approval rule does not let the actor that has submitted the task answer this"
              + " request.");
    }
    if (!isAsker(change, record, actor)) {
      return false;
    }
    if (policy.isAlone(change, actor, source.evidence().isPresent())) {
      return true;
    }
    throw refused(
        request,
        "own_task",
        "The actor's own worker asks, so somebody else has to answer: use a credential of another"
            + " actor, or an approver's device.");
  }

  /**
   * Checks that a request is not delegated to who asks, nor to who has submitted the task where a
   * rule excludes that one; {@code permission_denied} if it is.
   */
  static void needOther(TaskChange change, PermissionRecord record, String to) {
    if (record.getRequest().getRequest().getPolicy().getNotSubmitter() && isSubmitter(change, to)) {
      throw refused(
          record.getRequest(),
          "not_submitter",
          "The request can't be delegated to the actor that has submitted the task.");
    }
    if (isAsker(change, record, to)) {
      throw refused(
          record.getRequest(),
          "own_task",
          "The request can't be delegated to the actor that asks.");
    }
  }

  /** Returns whether a standing grant allows an action of a task, as far as rules say. */
  static boolean permits(
      PermissionPolicy policy,
      TaskChange change,
      RequestPermissionRequest asks,
      Optional<ApprovalRequirement> required,
      PermissionGrant grant) {
    return Requirements.permit(required, grant)
        && Requirements.meetsAsk(asks, grant.getGrantedByList(), List.of())
        && Requirements.areMet(
            required, grant.getGrantedByList(), actor -> policy.rolesOf(change.write(), actor))
        && policy.counts(change.write(), grant)
        && areOthers(required, change, grant.getGrantedByList())
        && isNotOwn(policy, change, grant.getGrantedByList(), isSigned(grant));
  }

  private static boolean isSigned(PermissionGrant grant) {
    return grant.getApprovalDeviceIdsCount() > 0;
  }

  /**
   * Returns whether an approval is of somebody else than who holds the lease now, which may be
   * another actor than the one whose worker asked; who is alone counts for itself.
   */
  static boolean isNotOwn(PermissionPolicy policy, TaskChange change, PermissionRequest approved) {
    List<PermissionAnswer> yes =
        approved.getResponse().getAnswersList().stream()
            .filter(PermissionAnswer::getApproved)
            .toList();
    return isNotOwn(
        policy,
        change,
        yes.stream().map(PermissionAnswer::getActor).toList(),
        yes.stream().allMatch(PermissionAnswer::hasEvidence));
  }

  private static boolean isNotOwn(
      PermissionPolicy policy, TaskChange change, List<String> actors, boolean isSigned) {
    String own = leaseActor(change);
    return own.isEmpty() || !actors.contains(own) || policy.isAlone(change, own, isSigned);
  }

  /** Returns whether rules let actors permit an action of a task. */
  static boolean areOthers(
      Optional<ApprovalRequirement> required, TaskChange change, List<String> actors) {
    return required.filter(ApprovalRequirement::getNotSubmitter).isEmpty()
        || actors.stream().noneMatch(actor -> isSubmitter(change, actor));
  }

  private static boolean isSubmitter(TaskChange change, String actor) {
    return TaskCreationRules.submitters(change.record()).contains(actor);
  }

  private static boolean isAsker(TaskChange change, PermissionRecord record, String actor) {
    return actor.equals(record.getAskedBy()) || actor.equals(leaseActor(change));
  }

  private static ProtocolException refused(
      PermissionRequest request, String reason, String sentence) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_PERMISSION_DENIED, sentence)
        .with("permission_request_id", request.getId())
        .with("reason", reason);
  }
}
