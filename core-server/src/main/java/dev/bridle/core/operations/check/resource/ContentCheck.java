package dev.bridle.core.operations.check.resource;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.workspace.StoredFiles;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.WorkspaceFileRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.TenantSpace;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Checks that the content of every file and artifact is complete and matches its hash. */
public final class ContentCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("artifacts of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    scope
        .walk()
        .pages(
            scope.rows().recordKeys().recordRange(scope.tenant(), ArtifactStore.ARTIFACT.number()),
            Walk.PAGE,
            (tr, page) ->
                page.stream()
                    .filter(row -> row.key().is(Long.class, String.class))
                    .flatMap(
                        row -> records.find(tr, ArtifactStore.ARTIFACT, row.key().text(1)).stream())
                    .filter(record -> !record.getBlobId().isEmpty())
                    .toList(),
            found -> found.forEach(record -> content(scope, records, record)));
    scope.walk().step("files of " + scope.tenant());
    scope
        .walk()
        .pages(
            scope
                .rows()
                .recordKeys()
                .recordRange(scope.tenant(), StoredFiles.WORKSPACE_FILE.number()),
            Walk.PAGE,
            (tr, page) ->
                page.stream()
                    .filter(row -> row.key().is(Long.class, String.class))
                    .flatMap(
                        row ->
                            records
                                .find(tr, StoredFiles.WORKSPACE_FILE, row.key().text(1))
                                .stream())
                    .toList(),
            found -> found.forEach(file -> content(scope, records, file)));
  }

  /** Content never changes once an artifact refers to it, so several transactions may read it. */
  private static void content(CheckScope scope, Records records, ArtifactRecord record) {
    String wrong =
        wrong(scope, record.getBlobId(), record.getSize(), record.getArtifact().getSha256());
    if (wrong.isEmpty()) {
      return;
    }
    String id = record.getArtifact().getId();
    scope
        .findings()
        .suspect(
            Fault.of(FaultKind.BLOB_WRONG, scope.tenant(), id, "The artifact's content " + wrong)
                .when(tr -> records.exists(tr, ArtifactStore.ARTIFACT, id)));
  }

  /** A file that was written meanwhile has another blob, and the fault is dropped. */
  private static void content(CheckScope scope, Records records, WorkspaceFileRecord file) {
    String hash = HexFormat.of().formatHex(file.getSha256().toByteArray());
    String wrong = wrong(scope, file.getBlobId(), file.getSize(), hash);
    if (wrong.isEmpty()) {
      return;
    }
    String id = StoredFiles.id(file.getWorkspaceId(), file.getPath());
    scope
        .findings()
        .suspect(
            Fault.of(FaultKind.BLOB_WRONG, scope.tenant(), id, "The file's content " + wrong)
                .when(
                    tr ->
                        records
                            .find(tr, StoredFiles.WORKSPACE_FILE, id)
                            .filter(file::equals)
                            .isPresent()));
  }

  private static String wrong(CheckScope scope, String blob, long bytes, String sha256) {
    KeyRange rest = scope.rows().below(scope.tenant(), TenantSpace.BLOB, blob);
    MessageDigest digest = sha256();
    long next = 0;
    long size = 0;
    List<KeyValue> chunks = read(scope, rest);
    while (!chunks.isEmpty()) {
      for (KeyValue chunk : chunks) {
        long number =
            scope
                .rows()
                .parse(chunk.key())
                .filter(KeyShapes::fits)
                .map(ContentCheck::number)
                .orElse(-1L);
        boolean full = size == next * BlobStore.CHUNK_BYTES;
        if (number != next || !full) {
          return "lacks piece " + (full ? next : next - 1) + ", or a part of it.";
        }
        digest.update(chunk.value());
        size += chunk.value().length;
        next++;
      }
      rest = new KeyRange(KeyRange.after(chunks.get(chunks.size() - 1).key()), rest.end());
      chunks = read(scope, rest);
    }
    if (size != bytes) {
      return "has " + size + " bytes, and should have " + bytes + ".";
    }
    String hash = HexFormat.of().formatHex(digest.digest());
    return hash.equalsIgnoreCase(sha256) ? "" : "is not what its SHA-256 says.";
  }

  private static long number(RowKey key) {
    return key.number(1);
  }

  private static List<KeyValue> read(CheckScope scope, KeyRange range) {
    return scope.store().read(tr -> tr.getRange(range, BlobStore.CHUNKS_AT_ONCE));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
