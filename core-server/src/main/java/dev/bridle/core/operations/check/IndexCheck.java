package dev.bridle.core.operations.check;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.RecordDef.Entry;
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
 * Every record has exactly the index rows that it should, and every index row its record. Rows are
 * told by their hashes, those of some records at a time, so that memory stays bounded; a row that
 * is missing is looked for once more by its text before that is believed.
 */
final class IndexCheck implements Check {
  /** Index rows that are remembered at a time. */
  private static final long AT_ONCE = 2_000_000;

  /** Records with several rows that are remembered at a time. */
  private static final int DOUBLED_AT_ONCE = 1000;

  /** Rows of an index that are looked through in one transaction to be sure. */
  private static final int LOOKED_THROUGH = 5000;

  @Override
  public void run(CheckScope scope) {
    long keys = scope.census().keys(scope.tenant(), TenantSpace.INDEX);
    int parts = (int) (keys / AT_ONCE) + 1;
    for (int part = 0; part < parts; part++) {
      new Part(scope, part, parts).run();
    }
  }

  /** The records whose ids fall into one of several parts. */
  private static final class Part {
    private final CheckScope scope;
    private final int number;
    private final int parts;
    private final Records records;
    private final Births births;
    private final SeenSet rows = new SeenSet();
    private final Map<Standing, List<Row>> doubled = new HashMap<>();

    Part(CheckScope scope, int number, int parts) {
      this.scope = scope;
      this.number = number;
      this.parts = parts;
      this.records = new Records(scope.rows(), scope.tenant());
      this.births = new Births(scope);
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

    private void eachEntry(java.util.function.Consumer<Standing> action) {
      scope
          .walk()
          .pages(
              scope.rows().below(scope.tenant(), TenantSpace.RECORD),
              Walk.PAGE,
              (tr, page) -> {
                List<Standing> places = new ArrayList<>();
                for (Row row : page) {
                  if (row.key().is(Long.class, String.class) && mine(row.key().text(1))) {
                    places(tr, row, places);
                  }
                }
                return places;
              },
              places -> places.forEach(action));
    }

    private void places(ReadTransaction tr, Row row, List<Standing> places) {
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
                              record
                                  .entries()
                                  .forEach(
                                      entry ->
                                          places.add(
                                              new Standing(kind, entry, row.key().text(1))))));
    }

    private boolean mine(String id) {
      return Math.floorMod(id.hashCode(), parts) == number;
    }

    private void row(Row row) {
      RowKey key = row.key();
      if (!KeyShapes.fits(key)) {
        return; // Named by the census.
      }
      Optional<Standing> named = place(row);
      if (named.isEmpty()) {
        if (number == 0) {
          scope.findings().suspect(orphan(row, key.spelled(), tr -> true));
        }
        return;
      }
      Standing place = named.get();
      if (!mine(place.id())) {
        return;
      }
      long hash = hash(place);
      if (!rows.expects(hash)) {
        foreign(row, place);
      } else if (!rows.see(hash)) {
        doubled.put(place, new ArrayList<>());
        if (doubled.size() == DOUBLED_AT_ONCE) {
          settle();
        }
      }
    }

    /** Returns which record a row says that it is of; empty where it says nothing. */
    private Optional<Standing> place(Row row) {
      RowKey key = row.key();
      return scope
          .catalog()
          .find(key.number(0))
          .flatMap(
              kind ->
                  scope
                      .rows()
                      .text(row.value())
                      .map(id -> new Standing(kind, new Entry(key.number(1), key.text(2)), id)));
    }

    /** A row that no record asked for: unless its record is newer than the look at records. */
    private void foreign(Row row, Standing place) {
      scope
          .findings()
          .suspect(orphan(row, place.id(), tr -> !records.exists(tr, place.kind(), place.id())));
      scope
          .findings()
          .suspect(
              wrong(row, place, "whose value is another one")
                  .clearing(row, tr -> asks(tr, place).filter(asked -> !asked).isPresent()));
    }

    /** Finds all rows of the records that have several, and tells all but one of each. */
    private void settle() {
      if (doubled.isEmpty()) {
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
                              .flatMap(this::place)
                              .flatMap(place -> Optional.ofNullable(doubled.get(place)))
                              .ifPresent(found -> found.add(row))));
      doubled.forEach((place, found) -> surplus(found, place));
      doubled.clear();
    }

    private void surplus(List<Row> found, Standing place) {
      if (found.isEmpty()) {
        return; // Gone since.
      }
      Row kept = scope.store().read(tr -> kept(tr, found, place));
      for (Row row : found) {
        if (!row.key().equals(kept.key())) {
          scope
              .findings()
              .suspect(
                  wrong(row, place, "which has its row already")
                      .clearing(
                          row,
                          tr ->
                              stands(tr, row)
                                  && stands(tr, kept)
                                  && kept(tr, found, place).key().equals(kept.key())));
        }
      }
    }

    private boolean stands(ReadTransaction tr, Row row) {
      return tr.get(row.raw()).filter(is -> Arrays.equals(is, row.value())).isPresent();
    }

    /** Returns the row of the commit that told the record; the first one where that is unknown. */
    private Row kept(ReadTransaction tr, List<Row> found, Standing place) {
      Optional<EventId> birth = births.birth(tr, place.kind(), place.id());
      return found.stream()
          .filter(row -> birth.filter(event -> ofCommit(row.key(), event)).isPresent())
          .findFirst()
          .orElse(found.get(0));
    }

    private boolean ofCommit(RowKey row, EventId event) {
      return row.number(3) == event.era()
          && Arrays.equals(row.stamp(4).commit(), scope.rows().stamp(event).commit());
    }

    private void missing(Standing place) {
      scope
          .findings()
          .suspect(
              Fault.of(
                      FaultKind.INDEX_MISSING,
                      scope.tenant(),
                      place.id(),
                      "The "
                          + place.kind().name()
                          + " has no row in index "
                          + place.spelled()
                          + ", so lists leave it out.")
                  .mendedBy(
                      tr -> asks(tr, place).orElse(false) && count(tr, place) == 0,
                      tr -> births.index(tr, place.kind(), place.entry(), place.id())));
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

    private Fault wrong(Row row, Standing place, String why) {
      return Fault.of(
          FaultKind.INDEX_WRONG,
          scope.tenant(),
          place.id(),
          "The index row "
              + row.key().spelled()
              + " points at the "
              + place.kind().name()
              + ", "
              + why
              + ".");
    }

    /** Returns whether a record asks for a row; empty where there is none that can be read. */
    private Optional<Boolean> asks(ReadTransaction tr, Standing place) {
      return records
          .read(tr, place.kind(), place.id())
          .map(record -> record.entries().contains(place.entry()));
    }

    private long count(ReadTransaction tr, Standing place) {
      List<KeyValue> found =
          tr.getRange(
              scope
                  .rows()
                  .recordKeys()
                  .index(
                      scope.tenant(),
                      place.kind().number(),
                      (int) place.entry().index(),
                      place.entry().value())
                  .range(),
              LOOKED_THROUGH);
      return found.stream()
          .filter(row -> scope.rows().text(row.value()).equals(Optional.of(place.id())))
          .count();
    }

    private static long hash(Standing place) {
      long hash = 0xcbf29ce484222325L;
      String text = place.kind().number() + "/" + place.spelled() + "/" + place.id();
      for (int i = 0; i < text.length(); i++) {
        hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
      }
      hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
      return hash ^ (hash >>> 33);
    }
  }

  /**
   * Where a record should stand.
   *
   * @param kind the record's kind
   * @param entry the index and its value
   * @param id the record's id
   */
  private record Standing(RecordDef<?> kind, Entry entry, String id) {
    String spelled() {
      return entry.index() + (entry.value().isEmpty() ? "" : " of " + entry.value());
    }
  }
}
