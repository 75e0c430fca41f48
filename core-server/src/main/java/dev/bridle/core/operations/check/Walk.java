package dev.bridle.core.operations.check;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Reads ranges of rows, one page per transaction, so that transactions stay short. */
final class Walk {
  /** The page size for rows that need further reads. */
  static final int PAGE = 100;

  private final KeyValueStore store;
  private final Rows rows;
  private final CheckProgress progress;
  private String step = "";
  private long seen;

  Walk(KeyValueStore store, Rows rows, CheckProgress progress) {
    this.store = store;
    this.rows = rows;
    this.progress = progress;
  }

  void step(String name) {
    step = name;
    progress.at(step, seen);
  }

  /**
   * Reads a range. Skips rows whose keys can't be parsed, which the census reports.
   *
   * @param look checks a page in its transaction, and may run more than once; its result is passed
   *     to {@code take} once
   */
  <R> void pages(
      KeyRange range, int size, BiFunction<ReadTransaction, List<Row>, R> look, Consumer<R> take) {
    Optional<KeyRange> rest = Optional.of(range);
    while (rest.isPresent()) {
      KeyRange at = rest.get();
      Page<R> page =
          store.read(
              tr -> {
                List<KeyValue> found = tr.getRange(at, size);
                Optional<KeyRange> next =
                    found.size() < size
                        ? Optional.empty()
                        : Optional.of(
                            new KeyRange(KeyRange.after(found.get(size - 1).key()), at.end()));
                return new Page<>(look.apply(tr, parsed(found)), next, found.size());
              });
      seen += page.rows();
      progress.at(step, seen);
      take.accept(page.result());
      rest = page.next();
    }
  }

  private List<Row> parsed(List<KeyValue> found) {
    List<Row> parsed = new ArrayList<>(found.size());
    for (KeyValue pair : found) {
      Optional<RowKey> key = rows.parse(pair.key());
      key.ifPresent(k -> parsed.add(new Row(pair.key(), k, pair.value())));
    }
    return parsed;
  }

  private record Page<R>(R result, Optional<KeyRange> next, int rows) {}
}
