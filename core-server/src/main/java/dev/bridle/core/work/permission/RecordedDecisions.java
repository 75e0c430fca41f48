package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.Optional;

/**
 * Finds the decisions that were made while a task ran. Nobody is asked, and nothing is consumed.
 */
public final class RecordedDecisions {
  private final PermissionStore store;

  /** Creates the reads of a core. */
  public RecordedDecisions(CoreContext context) {
    this.store = new PermissionStore(context.layout());
  }

  /**
   * Returns the decision of a recorded step; empty if that was about another action, or the task
   * ended before there was one.
   *
   * @param task the task that the step is of
   * @param request what is asked again
   */
  public Optional<RequestPermissionResponse> of(
      ReadTransaction tr,
      String tenant,
      Task task,
      AskedPermission step,
      RequestPermissionRequest request) {
    PermissionAction action = PermissionQuestions.action(task, request.getAction());
    if (!action.getFingerprint().equals(step.getFingerprint())) {
      return Optional.empty();
    }
    return step.getRequestId().isEmpty()
        ? Optional.of(PermissionGate.withoutPeople(step))
        : store.find(tr, tenant, step.getRequestId()).flatMap(record -> decided(record, action));
  }

  private static Optional<RequestPermissionResponse> decided(
      PermissionRecord record, PermissionAction action) {
    return switch (record.getRequest().getStatus()) {
      case PERMISSION_STATUS_DENIED ->
          Optional.of(
              Verdicts.of(record.getRequest(), PermissionVerdict.PERMISSION_VERDICT_DENIED));
      case PERMISSION_STATUS_EXPIRED ->
          Optional.of(
              Verdicts.of(record.getRequest(), PermissionVerdict.PERMISSION_VERDICT_EXPIRED));
      case PERMISSION_STATUS_APPROVED ->
          record.getUsedByFence() == 0
              ? Optional.empty()
              : Optional.of(Verdicts.allowed(record.getRequest(), action));
      default -> Optional.empty();
    };
  }
}
