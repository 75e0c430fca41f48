package dev.bridle.core.operations.check;

import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import java.util.Optional;

/** Checks that every memory that expires has its due entry. */
final class MemoriesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("memories of " + scope.tenant());
    DueIndex due = new DueIndex(scope.layout());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.each(
        scope,
        scope.rows().recordKeys().recordRange(scope.tenant(), MemoryStore.MEMORY.number()),
        (tr, row) ->
            missing(tr, records, due, scope.tenant(), row.key().text(1))
                .map(entry -> fault(records, due, entry)));
  }

  private static Optional<DueEntry> missing(
      ReadTransaction tr, Records records, DueIndex due, String tenant, String id) {
    return records
        .find(tr, MemoryStore.MEMORY, id)
        .flatMap(record -> MemoryStore.expiry(tenant, record))
        .filter(entry -> !due.contains(tr, entry));
  }

  private static Fault fault(Records records, DueIndex due, DueEntry entry) {
    return Fault.of(
            FaultKind.DUE_MISSING,
            entry.tenant(),
            entry.id(),
            "The memory expires, but is never deleted: it has no due entry.")
        .repairedBy(
            again ->
                missing(again, records, due, entry.tenant(), entry.id()).equals(Optional.of(entry)),
            again -> due.schedule(again, entry));
  }
}
