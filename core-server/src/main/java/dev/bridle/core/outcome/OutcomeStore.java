package dev.bridle.core.outcome;

import dev.bridle.core.artifact.ArtifactStore;
import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.message.MessageStore;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.RecordType;

/**
 * Keeps outcomes, with their messages and artifacts by id:
 *
 * <pre>
 * tenant / RECORD / OUTCOME, id                → OutcomeRecord
 * tenant / INDEX / OUTCOME, ALL | TASK, …      → id
 * </pre>
 */
public final class OutcomeStore {
  static final int ALL = 0;
  static final int TASK = 1;

  private final RecordStore<OutcomeRecord> records;
  private final MessageStore messages;
  private final ArtifactStore artifacts;

  public OutcomeStore(KeyLayout layout, MessageStore messages, ArtifactStore artifacts) {
    this.records = new RecordStore<>(layout, new RecordType<>(6, OutcomeRecord.parser()));
    this.messages = messages;
    this.artifacts = artifacts;
  }

  /** Stores a new outcome. */
  public void insert(Write write, OutcomeRecord record) {
    String id = record.getOutcome().getId();
    var order = write.order();
    records.insert(write.tr(), write.tenant(), id, record);
    records.index(write.tr(), write.tenant(), ALL, "", order, id);
    records.index(write.tr(), write.tenant(), TASK, record.getOutcome().getTaskId(), order, id);
  }

  /** Returns an outcome as its clients see it. */
  public Outcome resource(ReadTransaction tr, String tenant, OutcomeRecord record) {
    return record.getOutcome().toBuilder()
        .addAllMessages(messages.all(tr, tenant, record.getMessageIdsList()))
        .addAllArtifacts(artifacts.all(tr, tenant, record.getArtifactIdsList()))
        .build();
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
