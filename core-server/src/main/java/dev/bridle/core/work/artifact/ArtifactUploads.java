package dev.bridle.core.work.artifact;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import java.time.Clock;
import java.util.List;

/**
 * Stores the content of artifacts. Chunks are written to an unreferenced blob, until one
 * transaction makes the artifact reference it; a due entry makes the sweeper delete the blob of an
 * upload that never ends.
 */
public final class ArtifactUploads {
  private final KeyValueStore store;
  private final Commands commands;
  private final ArtifactStore artifacts;
  private final ArtifactEvents events;
  private final BlobStore blobs;
  private final DueIndex due;
  private final IdMint mint;
  private final Clock clock;
  private final ArtifactLimits limits;

  public ArtifactUploads(CoreContext context, TaskStores stores, ArtifactLimits limits) {
    this.store = context.store();
    this.commands = context.commands();
    this.blobs = new BlobStore(context.layout());
    this.artifacts = new ArtifactStore(context.layout(), blobs);
    this.events = new ArtifactEvents(stores);
    this.due = stores.due();
    this.mint = context.mint();
    this.clock = context.clock();
    this.limits = limits;
  }

  /**
   * Handles a due entry of {@link DueKind#UPLOAD}: removes it, and deletes its blob unless an
   * artifact references it. Called by the sweeper for uploads that never ended.
   */
  public void expire(DueEntry entry) {
    abandon(entry, true);
  }

  /** Begins an upload; rejects an artifact that does not exist or already has content. */
  Upload begin(Caller caller, String artifactId) {
    ArtifactRecord record = store.read(tr -> artifacts.needRecord(tr, caller, artifactId));
    needEmpty(record);
    long dueAt = clock.millis() + limits.uploadTime().toMillis();
    String blob = ArtifactStore.blobId(artifactId, mint.next("blob"));
    return new Upload(
        this, caller, artifactId, new DueEntry(dueAt, DueKind.UPLOAD, caller.tenant(), blob));
  }

  long maxBytes() {
    return limits.maxBytes();
  }

  /** Writes chunks before the last transaction. */
  void write(Caller caller, DueEntry blob, long from, List<byte[]> chunks) {
    commands.fenced(
        FencedWrite.UPLOAD_PIECES,
        caller.tenant(),
        caller.actor(),
        write -> {
          write.needTenant();
          if (from == 0) {
            due.schedule(write.tr(), blob);
          }
          put(write.tr(), blob, from, chunks);
          return true;
        });
  }

  /** Writes the last chunks and makes the artifact reference the uploaded blob. */
  Artifact finish(
      Caller caller,
      String artifactId,
      DueEntry blob,
      long from,
      List<byte[]> last,
      long size,
      String sha256) {
    return commands.once(
        caller.tenant(),
        caller.actor(),
        write -> {
          ArtifactRecord before = artifacts.needRecord(write.tr(), caller, artifactId);
          needEmpty(before);
          needHash(before.getArtifact(), sha256);
          if (from > 0) {
            needFirstChunk(write, blob);
            due.cancel(write.tr(), blob);
          }
          put(write.tr(), blob, from, last);
          return fill(write, before, blob.id(), size, sha256);
        });
  }

  private Artifact fill(
      Write write, ArtifactRecord before, String blobId, long size, String sha256) {
    Artifact.Builder filled =
        before.getArtifact().toBuilder().setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    Artifact artifact = ArtifactStore.withContent(write, filled, sha256, size);
    artifacts.update(
        write,
        before,
        before.toBuilder().setArtifact(artifact).setBlobId(blobId).setSize(size).build());
    events.updated(write, artifact, size);
    return artifact;
  }

  /** Deletes the chunks of a failed upload. */
  void abandon(DueEntry blob, boolean cancelDue) {
    store.transact(
        tr -> {
          remove(tr, blob.tenant(), blob.id());
          if (cancelDue) {
            due.cancel(tr, blob);
          }
          return true;
        });
  }

  private void remove(Transaction tr, String tenant, String blobId) {
    if (!artifacts.holds(tr, tenant, blobId)) {
      blobs.delete(tr, tenant, blobId);
    }
  }

  private void put(Transaction tr, DueEntry blob, long from, List<byte[]> chunks) {
    long number = from;
    for (byte[] chunk : chunks) {
      blobs.write(tr, blob.tenant(), blob.id(), number++, chunk);
    }
  }

  /** Read with a conflict, so that the upload and the sweeper can't both commit. */
  private void needFirstChunk(Write write, DueEntry blob) {
    if (blobs.read(write.tr(), blob.tenant(), blob.id(), 0, 1).isEmpty()) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED,
          "The upload took longer than allowed and was dropped; begin again.");
    }
  }

  private static void needEmpty(ArtifactRecord record) {
    if (Redactions.isErased(record.getArtifact())) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The artifact was redacted and gets no content any more; register another artifact.")
          .with("artifact_id", record.getArtifact().getId());
    }
    if (!record.getBlobId().isEmpty()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The artifact already has content, which is immutable; register another artifact.")
          .with("artifact_id", record.getArtifact().getId());
    }
  }

  private static void needHash(Artifact artifact, String sha256) {
    if (artifact.hasSha256() && !artifact.getSha256().equalsIgnoreCase(sha256)) {
      ProtocolException other =
          ProtocolException.invalid(
                  "sha256", "The content's SHA-256 is not the one that was registered.")
              .with("received", sha256);
      throw HiddenContent.isPublic(artifact.getVisibility())
          ? other.with("registered", artifact.getSha256())
          : other;
    }
  }
}
