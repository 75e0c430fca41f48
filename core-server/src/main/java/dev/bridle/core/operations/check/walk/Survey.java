package dev.bridle.core.operations.check.walk;

import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.Findings;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * Reads all rows once, in the order of their keys, a page in each transaction, and counts them.
 * Pages are parsed and looked at on several threads; what depends on the order runs on the caller's
 * thread.
 */
public final class Survey {
  private static final int MAX_PAGE = 1000;
  private static final int MIN_PAGE = 20;

  /** The bytes that a page is meant to have. */
  private static final int PAGE_BYTES = 1 << 20;

  /** The bytes of pages that are read and not yet done, above which reading waits. */
  private static final int AHEAD_BYTES = 8 << 20;

  private final KeyValueStore store;
  private final Rows rows;
  private final CheckProgress progress;
  private final Workers workers;
  private final Splits splits = new Splits();

  public Survey(KeyValueStore store, Rows rows, CheckProgress progress, Workers workers) {
    this.store = store;
    this.rows = rows;
    this.progress = progress;
    this.workers = workers;
  }

  /** Returns keys that split what has been read into pages. */
  public Splits splits() {
    return splits;
  }

  /** Looks at a row whose key has the items of its subspace. */
  public interface Look {
    /**
     * Called on any thread.
     *
     * @param inOrder receives what must run in the order of the keys
     */
    void at(Row row, List<Runnable> inOrder);
  }

  /** A page whose rows have been looked at. */
  private record Seen(Census census, List<Fault> unknown, List<Runnable> inOrder) {}

  /** A page that is being looked at. */
  private record Ahead(Future<Seen> seen, int keys, long bytes) {}

  /** Reads all rows, reports the keys that are none of the layout, and returns the counts. */
  public Census run(Findings findings, Look look) {
    Census census = new Census();
    Deque<Ahead> ahead = new ArrayDeque<>();
    Optional<KeyRange> rest = Optional.of(rows.all());
    int limit = MAX_PAGE;
    long seen = 0;
    long waiting = 0;
    while (rest.isPresent() || !ahead.isEmpty()) {
      boolean full = waiting > AHEAD_BYTES || ahead.size() == workers.ahead();
      if (rest.isPresent() && !full) {
        KeyRange at = rest.get();
        int size = limit;
        List<KeyValue> page = store.read(tr -> tr.getRange(at, size));
        long bytes = page.stream().mapToLong(row -> row.key().length + row.value().length).sum();
        ahead.add(new Ahead(workers.submit(() -> look(page, look)), page.size(), bytes));
        waiting += bytes;
        rest =
            page.size() < size
                ? Optional.empty()
                : Optional.of(at.after(page.get(size - 1).key(), false));
        rest.ifPresent(next -> splits.add(next.begin()));
        limit = limitAfter(page.size(), bytes);
      } else {
        Ahead oldest = ahead.remove();
        Seen done = Workers.join(oldest.seen());
        census.add(done.census());
        done.unknown().forEach(findings::suspect);
        done.inOrder().forEach(Runnable::run);
        waiting -= oldest.bytes();
        seen += oldest.keys();
        progress.at("census", seen);
      }
    }
    return census;
  }

  private static int limitAfter(int keys, long bytes) {
    long average = Math.max(1, bytes / Math.max(1, keys));
    return (int) Math.max(MIN_PAGE, Math.min(MAX_PAGE, PAGE_BYTES / average));
  }

  private Seen look(List<KeyValue> page, Look look) {
    Seen seen = new Seen(new Census(), new ArrayList<>(), new ArrayList<>());
    for (KeyValue pair : page) {
      Optional<RowKey> key = rows.parse(pair.key());
      Optional<Fault> unknown = seen.census().add(key, pair);
      if (unknown.isEmpty()) {
        look.at(new Row(pair.key(), key.orElseThrow(), pair.value()), seen.inOrder());
      } else {
        seen.unknown().add(unknown.get());
      }
    }
    return seen;
  }
}
