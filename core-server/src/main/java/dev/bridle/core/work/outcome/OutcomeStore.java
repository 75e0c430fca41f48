package dev.bridle.core.work.outcome;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;

/**
 * Stores outcomes, which name their messages and artifacts by id:
 *
 * <pre>
 * tenant / RECORD / OUTCOME, id                → OutcomeRecord
 * tenant / INDEX / OUTCOME, ALL | TASK, …      → id
 * </pre>
 */
public final class OutcomeStore {
  /** The index of the outcomes of a task. */
  public static final int OUTCOMES_BY_TASK = 1;

  /** The definition of outcomes. */
  public static final RecordDef<OutcomeRecord> OUTCOME =
      RecordDef.of(6, "outcome", OutcomeRecord.parser())
          .id(record -> record.getOutcome().getId())
          .listed()
          .indexed(OUTCOMES_BY_TASK, record -> record.getOutcome().getTaskId())
          .refersTo("workspace", OutcomeRecord::getWorkspaceId)
          .belongsTo("task", record -> record.getOutcome().getTaskId())
          .refersToAll("message", OutcomeRecord::getMessageIdsList)
          .liesIn(OutcomeRecord::getWorkspaceId, record -> "")
          .firstEventOfTask(record -> record.getOutcome().getTaskId(), true)
          .exported()
          .build();

  public static final int ALL = RecordDef.ALL;
  public static final int TASK = OUTCOMES_BY_TASK;

  private final RecordStore<OutcomeRecord> records;

  public OutcomeStore(KeyLayout layout) {
    this.records = OUTCOME.store(layout);
  }

  /** Stores a new outcome. */
  public void insert(Write write, OutcomeRecord record) {
    String id = record.getOutcome().getId();
    var order = write.order();
    records.insert(write.tr(), write.tenant(), id, record);
    OUTCOME.index(records, write.tr(), write.tenant(), record, order);
  }

  /** Returns an outcome that the caller can access; {@code resource_not_found} otherwise. */
  public OutcomeRecord need(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound("outcome", id));
  }

  /** Returns the records. */
  public RecordStore<OutcomeRecord> records() {
    return records;
  }
}
