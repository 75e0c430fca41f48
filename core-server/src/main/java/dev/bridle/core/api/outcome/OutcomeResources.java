package dev.bridle.core.api.outcome;

import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.KeyLayout;

/** Converts stored outcomes to resources, with their messages and artifacts. */
public final class OutcomeResources {
  private final MessageStore messages;
  private final ArtifactStore artifacts;

  OutcomeResources(KeyLayout layout) {
    this.messages = new MessageStore(layout);
    this.artifacts = new ArtifactStore(layout, new BlobStore(layout));
  }

  /** Returns an outcome as a resource. */
  Outcome toResource(ReadTransaction tr, String tenant, OutcomeRecord record) {
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
}
