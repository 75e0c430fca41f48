package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who waits for which key to change. Futures complete on an executor of their own, so that what
 * hangs on them can never hold up a commit.
 */
final class Watches {
  private final int max;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentSkipListMap<byte[], Set<Watch>> byKey =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final Executor teller;
  private final Runnable endTeller;
  private volatile boolean closed;

  /**
   * @param max how many may be open
   * @param teller what futures complete on
   * @param endTeller runs when these watches close
   */
  private Watches(int max, Executor teller, Runnable endTeller) {
    this.max = max;
    this.teller = teller;
    this.endTeller = endTeller;
  }

  /** Returns watches that complete on a thread of their own, which ends when they close. */
  static Watches onOwnThread(int max) {
    ExecutorService teller =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread thread = new Thread(work, "bridle-watches");
              thread.setDaemon(true);
              return thread;
            });
    return new Watches(max, teller, teller::shutdown);
  }

  /** Returns watches that complete on an executor, which outlives them. */
  static Watches on(Executor teller, int max) {
    return new Watches(max, teller, () -> {});
  }

  /** Makes a watch that does nothing until it is armed; its future has failed beyond the limit. */
  Watch create(byte[] key, byte[] seen) {
    Watch watch = new Watch(key, seen);
    if (open.incrementAndGet() > max) {
      open.decrementAndGet();
      watch.future.completeExceptionally(
          new StoreException(Code.WATCH_LIMIT, "Too many watches are open."));
    } else {
      CompletableFuture<Void> unused =
          watch.future.whenComplete(
              (done, failure) -> {
                open.decrementAndGet();
                remove(watch);
              });
    }
    return watch;
  }

  /** Lets a watch wait for its key; it fires at once if that has changed since it was made. */
  void arm(Watch watch, PublishedVersion published) {
    if (watch.future.isDone()) {
      return;
    }
    byKey.compute(
        watch.key,
        (key, others) -> {
          Set<Watch> all = others == null ? ConcurrentHashMap.newKeySet() : others;
          all.add(watch);
          return all;
        });
    if (watch.future.isDone()) {
      remove(watch);
    }
    if (closed) {
      watch.fail(Refusal.CLOSED.toException());
    }
    if (!Arrays.equals(published.get(watch.key), watch.seen)) {
      watch.future.complete(null);
    }
  }

  /** Fires the watches of those keys whose value is no longer what they have seen. */
  void changed(WrittenKeys written, PublishedVersion published) {
    if (byKey.isEmpty()) {
      return;
    }
    List<Watch> fired = new ArrayList<>();
    written.forEach(
        span ->
            watched(span)
                .forEach(
                    (key, all) -> {
                      byte[] value = published.get(key);
                      all.stream()
                          .filter(watch -> !Arrays.equals(value, watch.seen))
                          .forEach(fired::add);
                    }));
    if (!fired.isEmpty()) {
      teller.execute(() -> fired.forEach(watch -> watch.future.complete(null)));
    }
  }

  /** Fails every watch with {@code STORE_CLOSED}. */
  void close() {
    closed = true;
    endTeller.run();
    byKey.values().forEach(all -> all.forEach(watch -> watch.fail(Refusal.CLOSED.toException())));
  }

  private Map<byte[], Set<Watch>> watched(Span span) {
    if (!span.isPoint()) {
      return byKey.subMap(span.begin(), true, span.end(), false);
    }
    Set<Watch> all = byKey.get(span.begin());
    return all == null ? Map.of() : Map.of(span.begin(), all);
  }

  private void remove(Watch watch) {
    byKey.computeIfPresent(
        watch.key,
        (key, others) -> {
          others.remove(watch);
          return others.isEmpty() ? null : others;
        });
  }

  /** One wait for one key. */
  static final class Watch {
    private final byte[] key;
    private final byte[] seen;
    private final CompletableFuture<Void> future = new CompletableFuture<>();

    private Watch(byte[] key, byte[] seen) {
      this.key = key;
      this.seen = seen;
    }

    CompletableFuture<Void> future() {
      return future;
    }

    void fail(StoreException reason) {
      future.completeExceptionally(reason);
    }
  }
}
