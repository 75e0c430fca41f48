package dev.bridle.core.work.permission;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.WaitingLease;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.task.v1.TaskStatus;
import java.util.List;
import java.util.Optional;

/**
 * Applies decisions of permission requests and resumes their tasks, in the transaction of the
 * deciding answer.
 */
final class Decisions {
  private final PendingPermission pending;
  private final StandingGrants grants;
  private final WaitingLease waiting;

  Decisions(PendingPermission pending, StandingGrants grants, WaitingLease waiting) {
    this.pending = pending;
    this.grants = grants;
    this.waiting = waiting;
  }

  /** Approves a request whose quorum is reached, with the grant that all approvers named. */
  void approve(TaskChange change, PermissionRecord before, PermissionRequest.Builder after) {
    after.setStatus(PermissionStatus.PERMISSION_STATUS_APPROVED);
    decided(change, after, true, PermissionReason.PERMISSION_REASON_APPROVED);
    named(after).ifPresent(offered -> grant(change, after, offered));
    GivenArguments.approved(after).ifPresent(arguments -> modify(change, after, arguments));
    pending.close(change, before, after);
    emitDecision(change, after, EventKinds.TOOL_APPROVED);
  }

  /** Denies a request that can no longer be approved. */
  void deny(TaskChange change, PermissionRecord before, PermissionRequest.Builder after) {
    after.setStatus(PermissionStatus.PERMISSION_STATUS_DENIED);
    decided(change, after, false, PermissionReason.PERMISSION_REASON_DENIED);
    pending.close(change, before, after);
    emitDecision(change, after, EventKinds.TOOL_DENIED);
  }

  /** Expires a request that was not decided in time. */
  void timeOut(TaskChange change, PermissionRecord before) {
    pending.expire(change, before, PermissionReason.PERMISSION_REASON_TIMED_OUT);
    resume(change, before.getRequest());
  }

  /** Expires a request whose agent does not wait for the answer any more. */
  void withdraw(TaskChange change, PermissionRecord before) {
    pending.expire(change, before, PermissionReason.PERMISSION_REASON_WITHDRAWN);
    resume(change, before.getRequest());
  }

  /** Expires a request in whose place another one comes, since the agent has changed the action. */
  void change(TaskChange change, PermissionRecord before) {
    pending.expire(change, before, PermissionReason.PERMISSION_REASON_CHANGED);
    resume(change, before.getRequest());
  }

  /** Approves the action with other arguments, and not as it was asked for. */
  private void modify(TaskChange change, PermissionRequest.Builder after, ByteString arguments) {
    String fingerprint =
        ModifiedAction.fingerprint(after.build(), arguments, change.record().getTask());
    after.getResponseBuilder().setArguments(arguments).setFingerprint(fingerprint);
    pending.store().indexModified(change.write(), after.build());
  }

  private void grant(TaskChange change, PermissionRequest.Builder after, OfferedGrant offered) {
    String id = grants.make(change, after.build(), offered);
    after.getResponseBuilder().setGrantId(id);
  }

  private static void decided(
      TaskChange change,
      PermissionRequest.Builder after,
      boolean approved,
      PermissionReason reason) {
    after
        .getResponseBuilder()
        .setApproved(approved)
        .setReason(reason)
        .setDecidedAt(Timestamps.fromMillis(change.write().nowMillis()));
  }

  /** A grant is created only if all approvers named the same one. */
  private static Optional<OfferedGrant> named(PermissionRequest.Builder request) {
    List<String> names =
        request.getResponse().getAnswersList().stream()
            .filter(PermissionAnswer::getApproved)
            .map(PermissionAnswer::getGrant)
            .distinct()
            .toList();
    return request.getRequest().getOfferedGrantsList().stream()
        .filter(offered -> names.equals(List.of(offered.getId())))
        .findFirst()
        .map(offered -> ended(offered, request.getResponse().getAnswersList()));
  }

  /** Returns the grant with the earliest of the ends that its approvers named. */
  private static OfferedGrant ended(OfferedGrant offered, List<PermissionAnswer> answers) {
    return answers.stream()
        .filter(answer -> answer.getApproved() && answer.hasGrantUntil())
        .map(PermissionAnswer::getGrantUntil)
        .min(Timestamps.comparator())
        .map(until -> offered.toBuilder().setUntil(until).build())
        .orElse(offered);
  }

  private void emitDecision(TaskChange change, PermissionRequest.Builder request, String event) {
    List<PermissionAnswer> answers = request.getResponse().getAnswersList();
    PermissionAnswer last = answers.get(answers.size() - 1);
    change.emit(
        EventDraft.of(
            event,
            Payload.of()
                .text("permission_request_id", request.getId())
                .text("step_key", request.getRequest().getStepKey())
                .text("fingerprint", PermissionStore.approvedFingerprint(request))
                .json("arguments", request.getResponse().getArguments())
                .text("content_hash", request.getRequest().getContentHash())
                .text("decided_by", last.getActor())
                .text("reason", last.getReason())
                .text("grant_id", request.getResponse().getGrantId())));
    ApprovalFacts.closed(change, request);
    resume(change, request.build());
  }

  private void resume(TaskChange change, PermissionRequest request) {
    change.move(
        TaskStatus.TASK_STATUS_WORKING,
        Payload.of()
            .text("permission_request_id", request.getId())
            .text("step_key", request.getRequest().getStepKey()));
    waiting.end(change);
  }
}
