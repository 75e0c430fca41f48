package dev.bridle.core.check;

import dev.bridle.core.check.RecordKind.Entry;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every record has exactly the index rows that it should, and every index row its record. Rows are
 * told by their hashes, those of some records at a time, so that memory stays bounded; a row that
 * is missing is looked for once more by its text before that is believed.
 */
final class IndexCheck implements Check {
  /** Index rows that are remembered at a time. */
  private static final long AT_ONCE = 2_000_000;

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
    private final SeenSet rows = new SeenSet();

    Part(CheckScope scope, int number, int parts) {
      this.scope = scope;
      this.number = number;
      this.parts = parts;
      this.records = new Records(scope.rows(), scope.tenant());
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
      if (!rows.allSeen()) {
        eachEntry(
            at -> {
              if (rows.unseen(hash(at))) {
                missing(at);
              }
            });
      }
    }

    private void eachEntry(java.util.function.Consumer<Place> action) {
      scope
          .walk()
          .pages(
              scope.rows().below(scope.tenant(), TenantSpace.RECORD),
              Walk.PAGE,
              (tr, page) -> {
                List<Place> places = new ArrayList<>();
                for (Row row : page) {
                  if (row.key().is(Long.class, String.class) && mine(row.key().text(1))) {
                    places(tr, row, places);
                  }
                }
                return places;
              },
              places -> places.forEach(action));
    }

    private void places(ReadTransaction tr, Row row, List<Place> places) {
      RecordKind.of(row.key().number(0))
          .ifPresent(
              kind ->
                  scope
                      .rows()
                      .whole(tr, row.raw(), row.value())
                      .flatMap(kind::parse)
                      .ifPresent(
                          record ->
                              kind.indexes()
                                  .apply(record)
                                  .forEach(
                                      entry ->
                                          places.add(new Place(kind, entry, row.key().text(1))))));
    }

    private boolean mine(String id) {
      return Math.floorMod(id.hashCode(), parts) == number;
    }

    private void row(Row row) {
      RowKey key = row.key();
      if (!KeyShapes.fits(key)) {
        return; // Named by the census.
      }
      Optional<RecordKind> kind = RecordKind.of(key.number(0));
      Optional<String> id = scope.rows().text(row.value());
      if (kind.isEmpty() || id.isEmpty()) {
        if (number == 0) {
          scope.findings().suspect(orphan(row, key.spelled(), tr -> true));
        }
        return;
      }
      if (!mine(id.get())) {
        return;
      }
      Place place = new Place(kind.get(), new Entry(key.number(1), key.text(2)), id.get());
      long hash = hash(place);
      if (!rows.expects(hash)) {
        foreign(row, place);
      } else if (!rows.see(hash)) {
        twice(row, place);
      }
    }

    /** A row that no record asked for: unless its record is newer than the look at records. */
    private void foreign(Row row, Place place) {
      scope
          .findings()
          .suspect(orphan(row, place.id(), tr -> !records.exists(tr, place.kind(), place.id())));
      scope
          .findings()
          .suspect(
              wrong(row, place, "whose value is another one")
                  .mendedBy(
                      tr ->
                          tr.get(row.raw()).isPresent()
                              && records.exists(tr, place.kind(), place.id())
                              && !asks(tr, place),
                      tr -> tr.clear(row.raw())));
    }

    private void twice(Row row, Place place) {
      scope
          .findings()
          .suspect(
              wrong(row, place, "which has its row already")
                  .mendedBy(
                      tr -> tr.get(row.raw()).isPresent() && count(tr, place) > 1,
                      tr -> tr.clear(row.raw())));
    }

    private void missing(Place place) {
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
                      tr -> asks(tr, place) && count(tr, place) == 0,
                      tr -> new Births(scope).index(tr, place.kind(), place.entry(), place.id())));
    }

    private Fault orphan(
        Row row, String subject, java.util.function.Predicate<ReadTransaction> wrong) {
      return Fault.of(
              FaultKind.INDEX_ORPHANED,
              scope.tenant(),
              subject,
              "The index row " + row.key().spelled() + " points at no record.")
          .mendedBy(
              tr -> tr.get(row.raw()).isPresent() && wrong.test(tr), tr -> tr.clear(row.raw()));
    }

    private Fault wrong(Row row, Place place, String why) {
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

    private boolean asks(ReadTransaction tr, Place place) {
      return records
          .find(tr, place.kind(), place.id())
          .filter(record -> place.kind().indexes().apply(record).contains(place.entry()))
          .isPresent();
    }

    private long count(ReadTransaction tr, Place place) {
      List<KeyValue> found =
          tr.getRange(
              scope
                  .rows()
                  .below(
                      scope.tenant(),
                      TenantSpace.INDEX,
                      place.kind().number(),
                      place.entry().index(),
                      place.entry().value()),
              LOOKED_THROUGH);
      return found.stream()
          .filter(row -> scope.rows().text(row.value()).equals(Optional.of(place.id())))
          .count();
    }

    private static long hash(Place place) {
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
  private record Place(RecordKind kind, Entry entry, String id) {
    String spelled() {
      return entry.index() + (entry.value().isEmpty() ? "" : " of " + entry.value());
    }
  }
}
