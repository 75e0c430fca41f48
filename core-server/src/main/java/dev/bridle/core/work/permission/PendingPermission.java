package dev.bridle.core.work.permission;

import static dev.bridle.core.work.permission.PermissionStore.PERMISSION;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndListener;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.layer.DueIndex;
import java.util.Locale;

/**
 * Manages the one permission request that a task waits for: the task's record names it, and it has
 * a due entry for its expiry, both while it is pending.
 */
public final class PendingPermission implements TaskEndListener {
  private final PermissionStore store;
  private final DueIndex due;
  private final int mostOfTask;
  private final PermissionListener listener;

  public PendingPermission(CoreContext context, PermissionListener listener) {
    this.listener = listener;
    this.store = new PermissionStore(context.layout());
    this.due = context.due();
    this.mostOfTask = context.settings(TaskOptions.class).maxPermissionRequests();
  }

  PermissionStore store() {
    return store;
  }

  /**
   * Stores a new request that the task waits for; {@code policy_violation} if the task has reached
   * its limit of requests.
   */
  void open(TaskChange change, PermissionRecord.Builder record) {
    if (store.hasMany(change.write(), change.id(), mostOfTask)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_POLICY_VIOLATION,
              "The task has reached its limit of permission requests.")
          .with("max_permission_requests", mostOfTask);
    }
    PermissionRecord pending = record.setDueAt(expiresAt(record.getRequest())).build();
    PERMISSION.schedule(due, change.write().tr(), change.write().tenant(), pending);
    change.waits().waitForPermission(pending.getRequest().getId());
    store.insert(change.write(), pending);
  }

  /** Tells who hears of requests that the task waits for a new one. */
  void opened(TaskChange change, PermissionRequest request) {
    listener.changed(change, request);
  }

  /** Stores a request that is no longer pending. */
  void close(TaskChange change, PermissionRecord before, PermissionRequest.Builder after) {
    PERMISSION.unschedule(due, change.write().tr(), change.write().tenant(), before);
    change.waits().clearPermission();
    after.setUpdatedAt(Timestamps.fromMillis(change.write().nowMillis()));
    store.update(change.write(), before, before.toBuilder().setRequest(after).setDueAt(0).build());
    listener.closed(change, after.build());
  }

  @Override
  public void onTaskEnd(TaskChange change) {
    String id = change.record().getPermissionRequestId();
    if (id.isEmpty()) {
      return;
    }
    PermissionRecord before = need(change, id);
    expire(change, before, PermissionReason.PERMISSION_REASON_TASK_ENDED);
  }

  /** Marks a request as expired, which is not a denial. */
  void expire(TaskChange change, PermissionRecord before, PermissionReason reason) {
    PermissionRequest.Builder after = before.getRequest().toBuilder();
    after.setStatus(PermissionStatus.PERMISSION_STATUS_EXPIRED);
    after
        .getResponseBuilder()
        .setReason(reason)
        .setDecidedAt(Timestamps.fromMillis(change.write().nowMillis()));
    close(change, before, after);
    change.emit(
        EventDraft.of(
            reason == PermissionReason.PERMISSION_REASON_CHANGED
                ? EventKinds.PERMISSION_CHANGED
                : EventKinds.PERMISSION_EXPIRED,
            Payload.of()
                .text("permission_request_id", after.getId())
                .text("step_key", after.getRequest().getStepKey())
                .text("reason", spell(reason))));
    ApprovalFacts.closed(change, after);
  }

  private static String spell(PermissionReason reason) {
    return reason.name().substring("PERMISSION_REASON_".length()).toLowerCase(Locale.ROOT);
  }

  /** Schedules the expiry of the request of an imported task that is taken over. */
  public void takeOver(TaskChange change) {
    String id = change.record().getPermissionRequestId();
    if (id.isEmpty()) {
      return;
    }
    PermissionRecord before = need(change, id);
    PermissionRecord after = before.toBuilder().setDueAt(expiresAt(before.getRequest())).build();
    PERMISSION.schedule(due, change.write().tr(), change.write().tenant(), after);
    store.update(change.write(), before, after);
  }

  static long expiresAt(PermissionRequest request) {
    return Timestamps.toMillis(request.getRequest().getExpiresAt());
  }

  private PermissionRecord need(TaskChange change, String id) {
    return store
        .find(change.write().tr(), change.write().tenant(), id)
        .orElseThrow(
            () ->
                new IllegalStateException("a task waits for a permission request that is missing"));
  }
}
