package dev.bridle.core.outcome;

import dev.bridle.core.artifact.ArtifactStore;
import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.message.MessageStore;
import dev.bridle.core.record.RecordKind;
import dev.bridle.core.record.RecordTypes;
import dev.bridle.outcome.v1.Outcome;
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
  static final int ALL = RecordKind.ALL;
  static final int TASK = RecordKind.OUTCOMES_BY_TASK;

  private final RecordStore<OutcomeRecord> records;
  private final MessageStore messages;
  private final ArtifactStore artifacts;

  public OutcomeStore(KeyLayout layout, MessageStore messages, ArtifactStore artifacts) {
    this.records = new RecordStore<>(layout, RecordTypes.OUTCOME);
    this.messages = messages;
    this.artifacts = artifacts;
  }

  /** Stores a new outcome. */
  public void insert(Write write, OutcomeRecord record) {
    String id = record.getOutcome().getId();
    var order = write.order();
    records.insert(write.tr(), write.tenant(), id, record);
    RecordKind.OUTCOME.index(records, write.tr(), write.tenant(), record, order);
  }

  /** Returns an outcome as its clients see it. */
  public Outcome resource(ReadTransaction tr, String tenant, OutcomeRecord record) {
    Outcome.Builder outcome =
        record.getOutcome().toBuilder()
            .setWorkspaceId(record.getWorkspaceId())
            .addAllArtifacts(artifacts.all(tr, tenant, record.getArtifactIdsList()));
    messages
        .all(tr, tenant, record.getMessageIdsList())
        .forEach(
            message ->
                outcome.addMessages(MessageStore.inWorkspace(message, record.getWorkspaceId())));
    return outcome.build();
  }

  /** Returns an outcome that the caller reaches; {@code resource_not_found} otherwise. */
  OutcomeRecord need(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound("outcome", id));
  }

  RecordStore<OutcomeRecord> records() {
    return records;
  }
}
