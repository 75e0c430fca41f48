package dev.bridle.core.work.task;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import java.util.List;
import java.util.Optional;

/**
 * Reads tasks; only {@link TaskChange} writes them, and redactions those that have ended. The input
 * is a record of its own, since it may be large and never changes, while the task's record changes
 * with each event:
 *
 * <pre>
 * tenant / RECORD / TASK, id         → TaskRecord
 * tenant / RECORD / TASK_INPUT, id   → TaskInput
 * tenant / INDEX / TASK, ALL | WORKSPACE | SESSION, …   → id
 * </pre>
 */
public final class TaskStore {
  /** The definition of tasks. */
  public static final RecordDef<TaskRecord> TASK =
      RecordDef.of(10, "task", TaskRecord.parser())
          .id(record -> record.getTask().getId())
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, record -> record.getTask().getWorkspaceId())
          .indexed(RecordDef.BY_SESSION, record -> record.getTask().getSessionId())
          .refersTo("task input", record -> record.getTask().getId())
          .belongsTo("session", record -> record.getTask().getSessionId())
          .refersTo("workspace", record -> record.getTask().getWorkspaceId())
          .refersTo("task", record -> record.getTask().getParentTaskId())
          .refersTo("persona", record -> record.getTask().getPersonaId())
          .liesIn(
              record -> record.getTask().getWorkspaceId(),
              record -> record.getTask().getSessionId())
          .firstEventOfTask(record -> record.getTask().getId(), false)
          .exported()
          .due(DueKind.LEASE, record -> leaseDueAt(record, DueKind.LEASE))
          .due(DueKind.CANCEL, record -> leaseDueAt(record, DueKind.CANCEL))
          .due(DueKind.HOLD, record -> leaseDueAt(record, DueKind.HOLD))
          .due(DueKind.HOST_TOOL, TaskStore::hostCallDueAt)
          .due(DueKind.REPLAY_WORKER, record -> record.getQueue().getWaitsUntil())
          .build();

  /** The definition of task inputs, which are stored under their tasks' ids. */
  public static final RecordDef<TaskInput> TASK_INPUT =
      RecordDef.of(11, "task input", TaskInput.parser()).besides("task").exported().build();

  static final int ALL = RecordDef.ALL;
  static final int WORKSPACE = RecordDef.BY_WORKSPACE;
  static final int SESSION = RecordDef.BY_SESSION;

  private final RecordStore<TaskRecord> records;
  private final RecordStore<TaskInput> inputs;

  public TaskStore(KeyLayout layout) {
    this.records = TASK.store(layout);
    this.inputs = TASK_INPUT.store(layout);
  }

  private static long leaseDueAt(TaskRecord record, DueKind kind) {
    return record.getLease().getDueKind().equals(kind.name()) ? record.getLease().getDueAt() : 0;
  }

  private static long hostCallDueAt(TaskRecord record) {
    return record.hasParked() ? 0 : record.getHostCall().getExpiresAt();
  }

  /**
   * Returns the record of a task that the caller can access; {@code resource_not_found} otherwise.
   */
  public TaskRecord need(ReadTransaction tr, Caller caller, String id) {
    return reached(tr, caller, id).orElseThrow(() -> ProtocolException.notFound("task", id));
  }

  /** Returns the record of a task, if the caller can access it. */
  public Optional<TaskRecord> reached(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getTask().getWorkspaceId()));
  }

  /** Returns a task's record. */
  public Optional<TaskRecord> find(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id);
  }

  /**
   * Returns the receipt that covers something of a task.
   *
   * @param task the task's id; may be empty
   * @param created when the thing was created: receipts cover nothing that came after the end
   */
  public Optional<String> receiptOf(
      ReadTransaction tr, String tenant, String task, Timestamp created) {
    if (task.isEmpty()) {
      return Optional.empty();
    }
    return find(tr, tenant, task)
        .map(TaskRecord::getTask)
        .filter(Task::hasReceiptId)
        .filter(ended -> Timestamps.compare(created, end(ended)) <= 0)
        .map(Task::getReceiptId);
  }

  private static Timestamp end(Task ended) {
    return ended.hasCanceledAt() ? ended.getCanceledAt() : ended.getCompletedAt();
  }

  /** Returns the public resource of a task. */
  public Task resource(ReadTransaction tr, String tenant, TaskRecord record) {
    Task.Builder task = record.getTask().toBuilder();
    inputs.get(tr, tenant, task.getId()).ifPresent(task::setInput);
    return task.build();
  }

  /**
   * Replaces an ended task with the same one without some texts, for a redaction.
   *
   * @param at when, in Unix milliseconds
   */
  public void redact(Transaction tr, String tenant, TaskRecord before, TaskRecord after, long at) {
    TaskRecord.Builder redacted = after.toBuilder();
    redacted.getTaskBuilder().setUpdatedAt(Timestamps.fromMillis(at));
    records.update(tr, tenant, before.getTask().getId(), before, redacted.build());
  }

  /** Returns up to {@code limit} tasks of a session, newest first. */
  public List<TaskRecord> newestOfSession(
      ReadTransaction tr, String tenant, String session, int limit) {
    return ofSession(tr, tenant, session, limit, true);
  }

  /** Returns up to {@code limit} tasks of a session, oldest first. */
  public List<TaskRecord> oldestOfSession(
      ReadTransaction tr, String tenant, String session, int limit) {
    return ofSession(tr, tenant, session, limit, false);
  }

  /** Returns the rows of up to {@code limit} tasks of a session, newest first. */
  public List<IndexRow> rowsOfSession(
      ReadTransaction tr, String tenant, String session, int limit) {
    return records.page(tr, tenant, SESSION, session, Optional.empty(), limit, true);
  }

  private List<TaskRecord> ofSession(
      ReadTransaction tr, String tenant, String session, int limit, boolean newestFirst) {
    List<String> ids =
        records.page(tr, tenant, SESSION, session, Optional.empty(), limit, newestFirst).stream()
            .map(IndexRow::id)
            .toList();
    return records.getAll(tr, tenant, ids);
  }

  RecordStore<TaskRecord> records() {
    return records;
  }

  RecordStore<TaskInput> inputs() {
    return inputs;
  }
}
