package dev.bridle.core.api.outcome;

import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.KeyLayout;

/** Converts stored outcomes to resources, with their messages and artifacts. */
public final class OutcomeResources {
  /** About how many bytes of artifacts, and of messages, are included; at least one of each. */
  private static final long MAX_INCLUDED = 1L << 20;

  private final MessageStore messages;
  private final ArtifactStore artifacts;

  OutcomeResources(KeyLayout layout) {
    this.messages = new MessageStore(layout);
    this.artifacts = new ArtifactStore(layout, new BlobStore(layout));
  }

  /**
   * Returns an outcome as a resource. Workers name its artifacts: those of other workspaces are
   * left out, since whoever reads the outcome may not have access to them. So are those that are
   * too much for one response, which lists have.
   */
  Outcome toResource(ReadTransaction tr, String tenant, OutcomeRecord record) {
    Outcome.Builder outcome =
        record.getOutcome().toBuilder().setWorkspaceId(record.getWorkspaceId());
    artifacts.some(tr, tenant, record.getArtifactIdsList(), MAX_INCLUDED).stream()
        .filter(artifact -> artifact.getWorkspaceId().equals(record.getWorkspaceId()))
        .map(artifact -> covered(artifact, record.getOutcome()))
        .forEach(outcome::addArtifacts);
    messages
        .some(tr, tenant, record.getMessageIdsList(), MAX_INCLUDED)
        .records()
        .forEach(
            message ->
                outcome.addMessages(MessageStore.inWorkspace(message, record.getWorkspaceId())));
    return outcome.build();
  }

  /** Returns an artifact with the receipt of the outcome's task, if it belongs to that. */
  private static Artifact covered(Artifact artifact, Outcome outcome) {
    return outcome.hasReceiptId() && artifact.getTaskId().equals(outcome.getTaskId())
        ? artifact.toBuilder().setReceiptId(outcome.getReceiptId()).build()
        : artifact;
  }
}
