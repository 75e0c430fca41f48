package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.Parked;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.worker.v1.LeaseState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A task that had not ended when its session was read. It can change during the export, so
 * everything that changes with it is kept from that read.
 *
 * @param record its exported record: parked, without lease, queue place and quotas
 * @param steps its steps
 * @param permissions its permission requests, the newest of which may be pending
 * @param facts the facts for its receipt
 */
@SuppressWarnings("ArrayRecordComponent") // written once, never compared
record LiveTask(
    byte[] record, List<Step> steps, List<Permission> permissions, List<TaskFactRecord> facts) {
  private static final int STEPS_AT_ONCE = 64;
  private static final int PERMISSIONS_AT_ONCE = 64;

  /**
   * A step.
   *
   * @param key its key
   * @param record its record
   */
  record Step(String key, ByteString record) {}

  /**
   * A permission request.
   *
   * @param row its row in its indexes
   * @param record its exported record, without a due time
   */
  @SuppressWarnings("ArrayRecordComponent") // written once, never compared
  record Permission(RecordRows.Row row, byte[] record) {}

  static LiveTask read(ReadTransaction tr, TransferStores stores, String tenant, TaskRecord task) {
    return new LiveTask(
        parked(task).toByteArray(),
        task.getHasSteps() ? allSteps(tr, stores, tenant, task.getTask().getId()) : List.of(),
        allPermissions(tr, stores, tenant, task.getTask().getId()),
        facts(tr, stores, tenant, task));
  }

  /** Returns the facts for a task's receipt; at most 64 kB in all. */
  static List<TaskFactRecord> facts(
      ReadTransaction tr, TransferStores stores, String tenant, TaskRecord task) {
    return task.getFactListsCount() == 0
        ? List.of()
        : stores.facts().all(tr, tenant, task.getTask().getId());
  }

  private static List<Permission> allPermissions(
      ReadTransaction tr, TransferStores stores, String tenant, String task) {
    int kind = PermissionStore.PERMISSION.number();
    List<Permission> all = new ArrayList<>();
    List<RecordRows.Row> rows;
    Optional<LogPosition> after = Optional.empty();
    do {
      rows =
          stores
              .records()
              .page(
                  tr,
                  tenant,
                  kind,
                  PermissionStore.PERMISSIONS_BY_TASK,
                  task,
                  after,
                  PERMISSIONS_AT_ONCE);
      for (RecordRows.Row row : rows) {
        after = Optional.of(row.place());
        stores
            .records()
            .get(tr, tenant, kind, row.id())
            .map(bytes -> new Permission(row, unscheduled(bytes)))
            .ifPresent(all::add);
      }
    } while (rows.size() == PERMISSIONS_AT_ONCE);
    return all;
  }

  private static byte[] unscheduled(byte[] permission) {
    return TransferStores.parse(PermissionRecord.parser(), permission).toBuilder()
        .setDueAt(0)
        .build()
        .toByteArray();
  }

  /** Returns a live task as it is exported: held by nobody, in no queue, and due at no time. */
  static TaskRecord parked(TaskRecord task) {
    Lease lease = task.getLease();
    boolean held = lease.getState() == LeaseState.LEASE_STATE_HELD;
    return task.toBuilder()
        .setLease(
            Lease.newBuilder().setState(LeaseState.LEASE_STATE_FREE).setFence(lease.getFence()))
        .clearQueue()
        .clearQuotaIds()
        .setParked(Parked.newBuilder().setRunning(held || task.getParked().getRunning()))
        .build();
  }

  private static List<Step> allSteps(
      ReadTransaction tr, TransferStores stores, String tenant, String task) {
    List<Step> all = new ArrayList<>();
    List<Step> page = steps(tr, stores, tenant, task, "", STEPS_AT_ONCE);
    while (!page.isEmpty()) {
      all.addAll(page);
      page = steps(tr, stores, tenant, task, page.get(page.size() - 1).key(), STEPS_AT_ONCE);
    }
    return all;
  }

  static List<Step> steps(
      ReadTransaction tr,
      TransferStores stores,
      String tenant,
      String task,
      String after,
      int limit) {
    return stores
        .steps()
        .list(tr, tenant, task, after, limit, EventLog.PAGE_BYTES)
        .records()
        .stream()
        .map(
            bytes ->
                new Step(
                    TransferStores.parse(StepRecord.parser(), bytes).getStep().getStepKey(),
                    ByteString.copyFrom(bytes)))
        .toList();
  }

  long bytes() {
    return record.length
        + steps.stream().mapToLong(step -> step.record().size()).sum()
        + permissions.stream().mapToLong(permission -> permission.record().length).sum()
        + facts.stream().mapToLong(TaskFactRecord::getSerializedSize).sum();
  }
}
