package dev.bridle.core.work.outcome;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.core.kernel.record.RecordTypes;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;

/**
 * Keeps outcomes, with their messages and artifacts by id:
 *
 * <pre>
 * tenant / RECORD / OUTCOME, id                → OutcomeRecord
 * tenant / INDEX / OUTCOME, ALL | TASK, …      → id
 * </pre>
 */
public final class OutcomeStore {
  public static final int ALL = RecordKind.ALL;
  public static final int TASK = RecordKind.OUTCOMES_BY_TASK;

  private final RecordStore<OutcomeRecord> records;

  public OutcomeStore(KeyLayout layout) {
    this.records = new RecordStore<>(layout, RecordTypes.OUTCOME);
  }

  /** Stores a new outcome. */
  public void insert(Write write, OutcomeRecord record) {
    String id = record.getOutcome().getId();
    var order = write.order();
    records.insert(write.tr(), write.tenant(), id, record);
    RecordKind.OUTCOME.index(records, write.tr(), write.tenant(), record, order);
  }

  /** Returns an outcome that the caller reaches; {@code resource_not_found} otherwise. */
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
