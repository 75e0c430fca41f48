package dev.bridle.core.check;

import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Every blob is the content of an artifact, or an upload's that is due to be swept. Whether an
 * upload is due is looked up only after a blob has been seen that no artifact holds: its due entry
 * is written with its first piece, and goes with the blob or once an artifact holds it.
 */
final class BlobsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("blobs of " + scope.tenant());
    Set<String> loose = new HashSet<>();
    KeyRange all = scope.rows().below(scope.tenant(), TenantSpace.BLOB);
    Optional<KeyRange> rest = Optional.of(all);
    while (rest.isPresent()) {
      KeyRange at = rest.get();
      Optional<RowKey> first =
          scope.store().read(tr -> tr.getRange(at, 1)).stream()
              .findFirst()
              .map(KeyValue::key)
              .flatMap(scope.rows()::parse)
              .filter(KeyShapes::fits);
      first
          .map(key -> key.text(0))
          .filter(blob -> !scope.store().read(tr -> held(scope, tr, blob)))
          .ifPresent(loose::add);
      rest =
          first.map(
              key ->
                  new KeyRange(
                      scope.rows().below(scope.tenant(), TenantSpace.BLOB, key.text(0)).end(),
                      all.end()));
    }
    if (loose.isEmpty()) {
      return;
    }
    scope
        .walk()
        .pages(
            scope.rows().below(SystemSpace.DUE),
            10 * Walk.PAGE,
            (tr, page) -> page,
            page ->
                page.stream()
                    .map(Row::key)
                    .filter(KeyShapes::fits)
                    .filter(key -> DueKind.find(key.number(2)).equals(Optional.of(DueKind.UPLOAD)))
                    .forEach(key -> loose.remove(key.text(4))));
    loose.stream().sorted().forEach(blob -> orphaned(scope, blob));
  }

  private static void orphaned(CheckScope scope, String blob) {
    KeyRange chunks = scope.rows().below(scope.tenant(), TenantSpace.BLOB, blob);
    scope
        .findings()
        .suspect(
            Fault.of(
                    FaultKind.BLOB_ORPHANED,
                    scope.tenant(),
                    blob,
                    "The blob is no artifact's content, and no upload's that is due to be swept.")
                .mendedBy(
                    tr -> !tr.getRange(chunks, 1).isEmpty() && !held(scope, tr, blob),
                    tr -> tr.clear(chunks)));
  }

  private static boolean held(CheckScope scope, ReadTransaction tr, String blob) {
    return new Records(scope.rows(), scope.tenant())
        .find(tr, RecordKind.ARTIFACT, BlobRows.artifactOf(blob), ArtifactRecord.class)
        .filter(record -> record.getBlobId().equals(blob))
        .isPresent();
  }
}
