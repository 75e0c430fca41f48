package dev.bridle.core.work.artifact;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.ArtifactReport;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stores artifacts; their content is stored in blobs:
 *
 * <pre>
 * tenant / RECORD / ARTIFACT, id                                    → ArtifactRecord
 * tenant / INDEX / ARTIFACT, ALL | WORKSPACE | SESSION | TASK, …    → id
 * tenant / BLOB / artifact.blob, chunk                              → bytes
 * </pre>
 */
public final class ArtifactStore {
  /** The index of the artifacts of a task. */
  public static final int ARTIFACTS_BY_TASK = 3;

  /** The definition of artifacts. */
  public static final RecordDef<ArtifactRecord> ARTIFACT =
      RecordDef.of(5, "artifact", ArtifactRecord.parser())
          .id(record -> record.getArtifact().getId())
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, record -> record.getArtifact().getWorkspaceId())
          .indexedWhere(
              record -> record.getArtifact().hasSessionId(),
              RecordDef.BY_SESSION,
              record -> record.getArtifact().getSessionId())
          .indexedWhere(
              record -> record.getArtifact().hasTaskId(),
              ARTIFACTS_BY_TASK,
              record -> record.getArtifact().getTaskId())
          .refersTo("workspace", record -> record.getArtifact().getWorkspaceId())
          .belongsTo("session", record -> record.getArtifact().getSessionId())
          .belongsTo("task", record -> record.getArtifact().getTaskId())
          .liesIn(
              record -> record.getArtifact().getWorkspaceId(),
              record -> record.getArtifact().getSessionId())
          .firstEventIn(ArtifactStore::streamOf, "artifact_id")
          .exported(export -> export.inPhase("ARTIFACTS"))
          .build();

  static final int ALL = RecordDef.ALL;
  static final int WORKSPACE = RecordDef.BY_WORKSPACE;
  static final int SESSION = RecordDef.BY_SESSION;
  static final int TASK = ARTIFACTS_BY_TASK;

  /** Separates an artifact's id from the rest of its blob's id. */
  private static final char SEPARATOR = '.';

  private final RecordStore<ArtifactRecord> records;
  private final BlobStore blobs;

  public ArtifactStore(KeyLayout layout, BlobStore blobs) {
    this.records = ARTIFACT.store(layout);
    this.blobs = blobs;
  }

  /** Returns an artifact that the caller can access; {@code resource_not_found} otherwise. */
  public Artifact need(ReadTransaction tr, Caller caller, String id) {
    return needRecord(tr, caller, id).getArtifact();
  }

  /**
   * Returns the artifacts of the first of several ids, in that order, up to about {@code maxBytes},
   * and at least one.
   */
  public List<Artifact> some(ReadTransaction tr, String tenant, List<String> ids, long maxBytes) {
    return records.getSome(tr, tenant, ids, maxBytes).records().stream()
        .map(ArtifactRecord::getArtifact)
        .toList();
  }

  /** Passes on the artifacts of several ids, in that order. Ids without one are left out. */
  public void each(
      ReadTransaction tr, String tenant, List<String> ids, Consumer<Artifact> consumer) {
    records.each(tr, tenant, ids, record -> consumer.accept(record.getArtifact()));
  }

  /**
   * Stores an artifact that a worker reports, with its content, in the transaction of the write.
   * The caller emits {@link #createdEvent}.
   *
   * @param report the artifact with at most 1 MiB of content
   */
  public Artifact insertReported(Write write, Task task, ArtifactReport report) {
    ContentHash hash = new ContentHash();
    hash.add(report.getContent());
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Artifact.Builder made =
        Artifact.newBuilder()
            .setId(write.id("artifact"))
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(report.getMetadata())
            .setKind(report.getKind())
            .setMimeType(report.getMimeType())
            .setVisibility(report.getVisibility())
            .setWorkspaceId(task.getWorkspaceId())
            .setSessionId(task.getSessionId())
            .setTaskId(task.getId());
    Artifact artifact = withContent(write, made, hash.hex(), report.getContent().size());
    String blob = blobId(artifact.getId(), write.id("blob"));
    ByteString content = report.getContent();
    long chunk = 0;
    for (int at = 0; at < content.size(); at += BlobStore.CHUNK_BYTES) {
      int end = Math.min(content.size(), at + BlobStore.CHUNK_BYTES);
      blobs.write(
          write.tr(), write.tenant(), blob, chunk++, content.substring(at, end).toByteArray());
    }
    insert(
        write,
        ArtifactRecord.newBuilder()
            .setArtifact(artifact)
            .setBlobId(blob)
            .setSize(content.size())
            .build());
    return artifact;
  }

  /** Returns an artifact with the hash of its content, and a commitment if it is not public. */
  static Artifact withContent(Write write, Artifact.Builder artifact, String sha256, long size) {
    artifact.setSha256(sha256);
    if (!HiddenContent.isPublic(artifact.getVisibility())) {
      artifact.setCommitment(
          HiddenContent.commitment(write, ByteString.copyFromUtf8(sha256), size));
    }
    return artifact.build();
  }

  /** Returns the event of a new artifact with content. */
  public static EventDraft createdEvent(Artifact artifact, long size) {
    return event(EventKinds.ARTIFACT_CREATED, artifact, Optional.of(size));
  }

  /**
   * Returns what a receipt has of an artifact, as canonical JSON. What an artifact holds that is
   * not public could be guessed from its hash; the log has a commitment to it.
   *
   * @param stored whether its content is stored, so that the hash is that of the content and not
   *     only what was registered
   */
  public static ByteString receiptPart(Artifact artifact, boolean stored) {
    ObjectNode part =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifact_id", artifact.getId())
            .put("kind", spell(artifact.getKind()));
    if (stored && artifact.hasSha256() && HiddenContent.isPublic(artifact.getVisibility())) {
      part.put("sha256", "sha256:" + artifact.getSha256().toLowerCase(Locale.ROOT));
    }
    return UnsafeByteOperations.unsafeWrap(CanonicalJson.bytes(part));
  }

  /** Returns an artifact that the caller can access, if its content is stored. */
  public Optional<Artifact> withContent(ReadTransaction tr, Caller caller, String id) {
    return Optional.of(needRecord(tr, caller, id))
        .filter(record -> !record.getBlobId().isEmpty())
        .map(ArtifactRecord::getArtifact);
  }

  /**
   * Returns the content of an artifact that the caller can access; empty if none is stored, or it
   * is larger.
   *
   * @param maxBytes at most what a transaction should read
   */
  public Optional<ByteString> content(ReadTransaction tr, Caller caller, String id, int maxBytes) {
    ArtifactRecord record = needRecord(tr, caller, id);
    if (record.getBlobId().isEmpty() || record.getSize() > maxBytes) {
      return Optional.empty();
    }
    return Optional.of(
        ByteString.copyFrom(
            blobs
                .read(tr, caller.tenant(), record.getBlobId(), 0, BlobStore.CHUNKS_AT_ONCE)
                .stream()
                .map(ByteString::copyFrom)
                .toList()));
  }

  static EventDraft event(String kind, Artifact artifact, Optional<Long> size) {
    Payload payload =
        Payload.of().text("artifact_id", artifact.getId()).text("kind", spell(artifact.getKind()));
    if (!HiddenContent.isPublic(artifact.getVisibility())) {
      return EventDraft.of(
          kind,
          HiddenContent.described(payload, artifact.getVisibility(), artifact.getCommitment()));
    }
    payload.text("mime_type", artifact.getMimeType()).text("sha256", artifact.getSha256());
    size.ifPresent(bytes -> payload.number("size", bytes));
    return EventDraft.of(kind, payload);
  }

  /** Returns the id of an artifact's blob, which begins with the artifact's id. */
  static String blobId(String artifact, String blob) {
    return artifact + SEPARATOR + blob;
  }

  /** Returns whether a blob is the content of an artifact. */
  boolean holds(ReadTransaction tr, String tenant, String blobId) {
    int end = blobId.indexOf(SEPARATOR);
    return end > 0
        && records
            .get(tr, tenant, blobId.substring(0, end))
            .filter(record -> record.getBlobId().equals(blobId))
            .isPresent();
  }

  ArtifactRecord needRecord(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getArtifact().getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound("artifact", id));
  }

  void insert(Write write, ArtifactRecord record) {
    Artifact artifact = record.getArtifact();
    records.insert(write.tr(), write.tenant(), artifact.getId(), record);
    ARTIFACT.index(records, write.tr(), write.tenant(), record, write.order());
  }

  void update(Write write, ArtifactRecord before, ArtifactRecord record) {
    records.update(write.tr(), write.tenant(), record.getArtifact().getId(), before, record);
  }

  RecordStore<ArtifactRecord> records() {
    return records;
  }

  private static String spell(ArtifactKind kind) {
    return kind.name().substring("ARTIFACT_KIND_".length()).toLowerCase(Locale.ROOT);
  }

  /** An artifact of no session has a stream of its own. */
  private static String streamOf(ArtifactRecord record) {
    String session = record.getArtifact().getSessionId();
    return session.isEmpty() ? record.getArtifact().getId() : session;
  }
}
