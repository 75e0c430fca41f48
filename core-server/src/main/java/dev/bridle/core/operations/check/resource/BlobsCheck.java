package dev.bridle.core.operations.check.resource;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.rule.BlobRows;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every blob is the content of an artifact or a file, or an upload's that is due to be swept.
 * Whether an upload is due is looked up only after a blob has been seen that no artifact holds: its
 * due entry is written with its first piece, and goes with the blob or once an artifact holds it.
 */
public final class BlobsCheck implements Check {
  /** Blobs without an artifact that are remembered at a time. */
  private static final int LOOSE_AT_ONCE = 1000;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("blobs of " + scope.tenant());
    Set<String> loose = new TreeSet<>();
    Optional<KeyRange> rest = Optional.of(scope.rows().below(scope.tenant(), TenantSpace.BLOB));
    while (rest.isPresent()) {
      KeyRange at = rest.get();
      Step step = scope.store().read(tr -> step(scope, tr, at));
      step.loose().ifPresent(loose::add);
      rest = step.rest();
      if (loose.size() == LOOSE_AT_ONCE) {
        settle(scope, loose);
      }
    }
    settle(scope, loose);
  }

  /**
   * A look at the first blob of a range.
   *
   * @param loose the blob, where no artifact holds it
   * @param rest what follows it; empty: nothing
   */
  private record Step(Optional<String> loose, Optional<KeyRange> rest) {}

  private static Step step(CheckScope scope, ReadTransaction tr, KeyRange range) {
    List<KeyValue> first = tr.getRange(range, 1);
    if (first.isEmpty()) {
      return new Step(Optional.empty(), Optional.empty());
    }
    byte[] raw = first.get(0).key();
    Optional<String> blob = scope.rows().parse(raw).filter(KeyShapes::fits).map(key -> key.text(0));
    byte[] next =
        blob.map(id -> scope.rows().below(scope.tenant(), TenantSpace.BLOB, id).end())
            .orElseGet(() -> KeyRange.after(raw)); // Named by the census.
    return new Step(
        blob.filter(id -> !held(scope, tr, id)), Optional.of(new KeyRange(next, range.end())));
  }

  /** Reports the blobs that no due entry is about, and clears the set. */
  private static void settle(CheckScope scope, Set<String> loose) {
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
                    .filter(key -> isUpload(key, scope.tenant()))
                    .forEach(key -> loose.remove(key.text(4))));
    loose.forEach(blob -> orphaned(scope, blob));
    loose.clear();
  }

  private static boolean isUpload(RowKey key, String tenant) {
    return KeyShapes.fits(key)
        && DueKind.find(key.number(2)).equals(Optional.of(DueKind.UPLOAD))
        && key.text(3).equals(tenant);
  }

  /** Without its artifact a blob stays: an import may be under way, or the artifact be lost. */
  private static void orphaned(CheckScope scope, String blob) {
    KeyRange chunks = scope.rows().below(scope.tenant(), TenantSpace.BLOB, blob);
    Fault fault =
        Fault.of(
                FaultKind.BLOB_ORPHANED,
                scope.tenant(),
                blob,
                "The blob is no artifact's or file's content, and no upload's that is due to be swept.")
            .when(tr -> !tr.getRange(chunks, 1).isEmpty() && !held(scope, tr, blob));
    boolean owned =
        scope
            .store()
            .read(tr -> BlobRows.owned(new Records(scope.rows(), scope.tenant()), tr, blob));
    scope
        .findings()
        .suspect(owned ? fault.repairedBy(fault.still(), tr -> tr.clear(chunks)) : fault);
  }

  private static boolean held(CheckScope scope, ReadTransaction tr, String blob) {
    return BlobRows.held(new Records(scope.rows(), scope.tenant()), tr, blob);
  }
}
