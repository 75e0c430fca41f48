package dev.bridle.core.operations.check;

import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.Rows;
import java.util.Arrays;
import java.util.Optional;

/**
 * The data that a survey reads, and the proofs to which it adds.
 *
 * @param store the store
 * @param rows parses rows
 * @param catalog the kinds of records
 * @param partitions the number of partitions of the feed
 * @param proofs what is proven
 */
record SurveyContext(
    KeyValueStore store, Rows rows, Catalog catalog, int partitions, Proofs proofs) {

  /** Returns a row's whole value, and expects its further rows; empty if any is missing. */
  Optional<byte[]> whole(Row row) {
    byte[] value = row.value();
    int further = rows.furtherRows(value);
    if (further == 0) {
      return Optional.of(Arrays.copyOfRange(value, 1, value.length));
    }
    for (int number = 1; number <= further; number++) {
      long hash = Proofs.chunk(row.raw(), number);
      proofs.chunks().expect(hash, hash);
    }
    return store.read(tr -> rows.whole(tr, row.raw(), value));
  }

  /** Adds a further row of a large value. */
  void addFurtherRow(Row row) {
    int last = row.key().items().size() - 1;
    byte[] head =
        rows.key(
            row.key().tenant(),
            row.key().space().orElseThrow(),
            row.key().items().subList(0, last).toArray());
    long hash = Proofs.chunk(head, row.key().number(last));
    proofs.chunks().see(hash, hash);
  }

  /** Expects a due entry. */
  void expectDue(DueEntry entry) {
    long hash = Proofs.entry(entry);
    proofs.due().expect(hash, hash);
  }
}
