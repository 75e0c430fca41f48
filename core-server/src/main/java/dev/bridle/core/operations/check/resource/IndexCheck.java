package dev.bridle.core.operations.check.resource;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.RecordDef.Entry;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.IndexRowRebuilder;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.core.operations.check.walk.SeenSet;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that every record has exactly its index rows, and every index row its record. Rows are
 * compared by hashes, for a part of the records at a time, so that memory stays bounded. A missing
 * row is confirmed by an exact search.
 */
public final class IndexCheck implements Check {
  /** The maximum number of index rows in memory. */
  private static final long AT_ONCE = 2_000_000;

  /** The maximum number of records with duplicate rows in memory. */
  private static final int DUPLICATES_AT_ONCE = 1000;

  /** The maximum number of rows of an index that one transaction searches for a row. */
  private static final int LOOKED_THROUGH = 5000;

  @Override
  public void run(CheckScope scope) {
    double doubtful = scope.proofs().index().doubtful();
    if (doubtful == 0) {
      return;
    }
    long keys = scope.census().keys(scope.tenant(), TenantSpace.INDEX);
    int parts = (int) (keys * doubtful / AT_ONCE) + 1;
    for (int part = 0; part < parts; part++) {
      new Part(scope, part, parts).run();
    }
  }

  /** Checks the records whose ids fall into one of several parts. */
  private static final class Part {
    private final CheckScope scope;
    private final int number;
    private final int parts;
    private final Records records;
    private final IndexRowRebuilder rebuilder;
    private final SeenSet rows = new SeenSet();
    private final Map<ExpectedRow, List<Row>> duplicates = new HashMap<>();

    Part(CheckScope scope, int number, int parts) {
      this.scope = scope;
      this.number = number;
      this.parts = parts;
      this.records = new Records(scope.rows(), scope.tenant());
      this.rebuilder = new IndexRowRebuilder(scope);
    }

    void run() {
      scope.walk().step("indexes of " + scope.tenant());
      eachEntry(at -> rows.expect(hash(at)));
      scope
          .walk()
          .pages(
              scope.rows().below(scope.tenant(), TenantSpace.INDEX),
              10 * Walk.PAGE,
              (tr, page) -> page,
              page -> page.forEach(this::row));
      settle();
      if (!rows.allSeen()) {
        eachEntry(
            at -> {
              if (rows.unseen(hash(at))) {
                missing(at);
              }
            });
      }
    }

    private void eachEntry(java.util.function.Consumer<ExpectedRow> action) {
      scope
          .walk()
          .parts(
              scope.rows().below(scope.tenant(), TenantSpace.RECORD),
              (tr, page) -> {
                List<ExpectedRow> expected = new ArrayList<>();
                for (Row row : page) {
                  if (row.key().is(Long.class, String.class) && inPart(row.key().text(1))) {
                    addExpected(tr, row, expected);
                  }
                }
                return expected;
              },
              expected -> expected.forEach(action));
    }

    private void addExpected(ReadTransaction tr, Row row, List<ExpectedRow> expected) {
      scope
          .catalog()
          .find(row.key().number(0))
          .ifPresent(
              kind ->
                  scope
                      .rows()
                      .whole(tr, row.raw(), row.value())
                      .flatMap(value -> kind.read(row.key().text(1), value))
                      .ifPresent(
                          record ->
                              record.entries().stream()
                                  .map(entry -> new ExpectedRow(kind, entry, row.key().text(1)))
                                  .filter(at -> !scope.proofs().index().proves(hash(at)))
                                  .forEach(expected::add)));
    }

    private boolean inPart(String id) {
      return Math.floorMod(id.hashCode(), parts) == number;
    }

    private void row(Row row) {
      RowKey key = row.key();
      if (!KeyShapes.fits(key)) {
        return; // The census reports it.
      }
      Optional<ExpectedRow> named = expectedRow(row);
      if (named.isEmpty()) {
        if (number == 0) {
          scope.findings().suspect(orphan(row, key.spelled(), tr -> true));
        }
        return;
      }
      ExpectedRow expected = named.get();
      if (!inPart(expected.id())) {
        return;
      }
      long hash = hash(expected);
      if (scope.proofs().index().proves(hash)) {
        return;
      }
      if (!rows.expects(hash)) {
        unexpected(row, expected);
      } else if (!rows.see(hash)) {
        duplicates.put(expected, new ArrayList<>());
        if (duplicates.size() == DUPLICATES_AT_ONCE) {
          settle();
        }
      }
    }

    /**
     * Returns the row that a record would need for this row to exist; empty if the row can't be
     * parsed.
     */
    private Optional<ExpectedRow> expectedRow(Row row) {
      RowKey key = row.key();
      return scope
          .catalog()
          .find(key.number(0))
          .flatMap(
              kind ->
                  scope
                      .rows()
                      .text(row.value())
                      .map(id -> new ExpectedRow(kind, new Entry(key.number(1), key.text(2)), id)));
    }

    /**
     * Reports a row that no record needs, unless its record was created after records were read.
     */
    private void unexpected(Row row, ExpectedRow expected) {
      scope
          .findings()
          .suspect(
              orphan(
                  row, expected.id(), tr -> !records.exists(tr, expected.kind(), expected.id())));
      scope
          .findings()
          .suspect(
              wrong(row, expected, "whose value is another one")
                  .clearing(row, tr -> asks(tr, expected).filter(asked -> !asked).isPresent()));
    }

    /** Finds all rows of records with duplicates, and reports all but one of each. */
    private void settle() {
      if (duplicates.isEmpty()) {
        return;
      }
      scope
          .walk()
          .pages(
              scope.rows().below(scope.tenant(), TenantSpace.INDEX),
              10 * Walk.PAGE,
              (tr, page) -> page,
              page ->
                  page.forEach(
                      row ->
                          Optional.of(row)
                              .filter(at -> KeyShapes.fits(at.key()))
                              .flatMap(this::expectedRow)
                              .flatMap(expected -> Optional.ofNullable(duplicates.get(expected)))
                              .ifPresent(found -> found.add(row))));
      duplicates.forEach((expected, found) -> surplus(found, expected));
      duplicates.clear();
    }

    private void surplus(List<Row> found, ExpectedRow expected) {
      if (found.isEmpty()) {
        return; // Removed meanwhile.
      }
      Row kept = scope.store().read(tr -> rowToKeep(tr, found, expected));
      for (Row row : found) {
        if (!row.key().equals(kept.key())) {
          scope
              .findings()
              .suspect(
                  wrong(row, expected, "which has its row already")
                      .clearing(
                          row,
                          tr ->
                              exists(tr, row)
                                  && exists(tr, kept)
                                  && rowToKeep(tr, found, expected).key().equals(kept.key())));
        }
      }
    }

    private boolean exists(ReadTransaction tr, Row row) {
      return tr.get(row.raw()).filter(is -> Arrays.equals(is, row.value())).isPresent();
    }

    /**
     * Returns the row from the commit of the record's first event; the first row if that is
     * unknown.
     */
    private Row rowToKeep(ReadTransaction tr, List<Row> found, ExpectedRow expected) {
      Optional<EventId> first = rebuilder.firstEvent(tr, expected.kind(), expected.id());
      return found.stream()
          .filter(row -> first.filter(event -> ofCommit(row.key(), event)).isPresent())
          .findFirst()
          .orElse(found.get(0));
    }

    private boolean ofCommit(RowKey row, EventId event) {
      return row.number(3) == event.era()
          && Arrays.equals(row.stamp(4).commit(), scope.rows().stamp(event).commit());
    }

    private void missing(ExpectedRow expected) {
      scope
          .findings()
          .suspect(
              Fault.of(
                      FaultKind.INDEX_MISSING,
                      scope.tenant(),
                      expected.id(),
                      "The "
                          + expected.kind().name()
                          + " has no row in index "
                          + expected.spelled()
                          + ", so lists leave it out.")
                  .repairedBy(
                      tr -> asks(tr, expected).orElse(false) && count(tr, expected) == 0,
                      tr ->
                          rebuilder.rebuild(tr, expected.kind(), expected.entry(), expected.id())));
    }

    private Fault orphan(
        Row row, String subject, java.util.function.Predicate<ReadTransaction> wrong) {
      return Fault.of(
              FaultKind.INDEX_ORPHANED,
              scope.tenant(),
              subject,
              "The index row " + row.key().spelled() + " points at no record.")
          .clearing(row, wrong);
    }

    private Fault wrong(Row row, ExpectedRow expected, String why) {
      return Fault.of(
          FaultKind.INDEX_WRONG,
          scope.tenant(),
          expected.id(),
          "The index row "
              + row.key().spelled()
              + " points at the "
              + expected.kind().name()
              + ", "
              + why
              + ".");
    }

    /** Returns whether a record needs a row; empty if the record can't be read. */
    private Optional<Boolean> asks(ReadTransaction tr, ExpectedRow expected) {
      return records
          .read(tr, expected.kind(), expected.id())
          .map(record -> record.entries().contains(expected.entry()));
    }

    private long count(ReadTransaction tr, ExpectedRow expected) {
      List<KeyValue> found =
          tr.getRange(
              scope
                  .rows()
                  .recordKeys()
                  .index(
                      scope.tenant(),
                      expected.kind().number(),
                      (int) expected.entry().index(),
                      expected.entry().value())
                  .range(),
              LOOKED_THROUGH);
      return found.stream()
          .filter(row -> scope.rows().text(row.value()).equals(Optional.of(expected.id())))
          .count();
    }

    private long hash(ExpectedRow expected) {
      return Proofs.entry(
          scope.tenant(), expected.kind().number(), expected.entry(), expected.id());
    }
  }

  /**
   * An index row that a record needs.
   *
   * @param kind the record's kind
   * @param entry the index and its value
   * @param id the record's id
   */
  private record ExpectedRow(RecordDef<?> kind, Entry entry, String id) {
    String spelled() {
      return entry.index() + (entry.value().isEmpty() ? "" : " of " + entry.value());
    }
  }
}
