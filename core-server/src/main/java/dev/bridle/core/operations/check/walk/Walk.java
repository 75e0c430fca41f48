package dev.bridle.core.operations.check.walk;

import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Reads ranges of rows, one page per transaction, so that transactions stay short. Pages are taken
 * in the order of their keys.
 */
public final class Walk {
  /** The page size for rows that need further reads. */
  public static final int PAGE = 100;

  /**
   * The maximum page size of rows that need hardly any, and the bytes that such a page may have.
   */
  private static final int MAX_PAGE = 4 * PAGE;

  private static final long PAGE_BYTES = 1 << 20;

  /** A page that took longer is followed by a short one: a transaction must end within seconds. */
  private static final long LONG_NANOS = 300_000_000;

  private final KeyValueStore store;
  private final Rows rows;
  private final CheckProgress progress;
  private final Optional<Workers> workers;
  private final Splits splits;
  private String step = "";
  private long seen;

  /**
   * Creates a walk.
   *
   * @param workers the threads for ranges that may be read in parts; empty: only the caller's
   */
  public Walk(
      KeyValueStore store,
      Rows rows,
      CheckProgress progress,
      Optional<Workers> workers,
      Splits splits) {
    this.store = store;
    this.rows = rows;
    this.progress = progress;
    this.workers = workers;
    this.splits = splits;
  }

  public void step(String name) {
    step = name;
    progress.at(step, seen);
  }

  /**
   * Reads a range. Skips rows whose keys can't be parsed, which the census reports.
   *
   * @param look checks a page in its transaction, and may run more than once; its result is passed
   *     to {@code take} once
   */
  public <R> void pages(
      KeyRange range, int size, BiFunction<ReadTransaction, List<Row>, R> look, Consumer<R> take) {
    Optional<KeyRange> rest = Optional.of(range);
    while (rest.isPresent()) {
      Page<R> page = read(rest.get(), size, look);
      take(page, take);
      rest = page.next();
    }
  }

  /**
   * Reads a range in parts, several at a time.
   *
   * @param look checks a page in its transaction; on any thread, so it must not remember anything
   * @param take receives the results in the order of the keys, on the caller's thread
   */
  public <R> void parts(
      KeyRange range, BiFunction<ReadTransaction, List<Row>, R> look, Consumer<R> take) {
    if (workers.isEmpty()) {
      pages(range, PAGE, look, take);
      return;
    }
    Deque<Future<List<Page<R>>>> ahead = new ArrayDeque<>();
    Iterator<KeyRange> parts = splits.of(range).iterator();
    while (parts.hasNext() || !ahead.isEmpty()) {
      if (parts.hasNext() && ahead.size() < workers.get().ahead()) {
        KeyRange part = parts.next();
        ahead.add(workers.get().submit(() -> part(part, look)));
      } else {
        Workers.join(ahead.remove()).forEach(page -> take(page, take));
      }
    }
  }

  private <R> List<Page<R>> part(KeyRange range, BiFunction<ReadTransaction, List<Row>, R> look) {
    List<Page<R>> pages = new ArrayList<>();
    Optional<KeyRange> rest = Optional.of(range);
    int size = PAGE;
    while (rest.isPresent()) {
      long began = System.nanoTime();
      Page<R> page = read(rest.get(), size, look);
      boolean heavy = System.nanoTime() - began > LONG_NANOS || page.bytes() > PAGE_BYTES;
      size = heavy ? PAGE : MAX_PAGE;
      pages.add(page);
      rest = page.next();
    }
    return pages;
  }

  private <R> void take(Page<R> page, Consumer<R> take) {
    seen += page.rows();
    progress.at(step, seen);
    take.accept(page.result());
  }

  private <R> Page<R> read(KeyRange at, int size, BiFunction<ReadTransaction, List<Row>, R> look) {
    return store.read(
        tr -> {
          List<KeyValue> found = tr.getRange(at, size);
          Optional<KeyRange> next =
              found.size() < size
                  ? Optional.empty()
                  : Optional.of(new KeyRange(KeyRange.after(found.get(size - 1).key()), at.end()));
          long bytes = found.stream().mapToLong(row -> row.value().length).sum();
          return new Page<>(look.apply(tr, parsed(found)), next, found.size(), bytes);
        });
  }

  private List<Row> parsed(List<KeyValue> found) {
    List<Row> parsed = new ArrayList<>(found.size());
    for (KeyValue pair : found) {
      Optional<RowKey> key = rows.parse(pair.key());
      key.ifPresent(k -> parsed.add(new Row(pair.key(), k, pair.value())));
    }
    return parsed;
  }

  private record Page<R>(R result, Optional<KeyRange> next, int rows, long bytes) {}
}
