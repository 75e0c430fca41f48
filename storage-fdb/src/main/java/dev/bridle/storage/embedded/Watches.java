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
import java.util.function.Supplier;

/**
 * Manages watches of keys. Futures complete on a separate executor, so that dependent stages never
 * block a commit.
 */
final class Watches {
  private final int max;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentSkipListMap<byte[], Set<Watch>> byKey =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final Executor executor;
  private final Runnable shutdown;
  private volatile boolean closed;

  /**
   * @param max the maximum number of open watches
   * @param executor the executor on which futures complete
   * @param shutdown runs when the watches are closed
   */
  private Watches(int max, Executor executor, Runnable shutdown) {
    this.max = max;
    this.executor = executor;
    this.shutdown = shutdown;
  }

  /** Returns watches that complete on a thread of their own, which ends when they close. */
  static Watches onOwnThread(int max) {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread thread = new Thread(work, "bridle-watches");
              thread.setDaemon(true);
              return thread;
            });
    return new Watches(max, executor, executor::shutdown);
  }

  /** Returns watches that complete on an executor, which outlives them. */
  static Watches on(Executor executor, int max) {
    return new Watches(max, executor, () -> {});
  }

  /**
   * Creates a watch, which is inactive until it is armed; beyond the limit its future has failed.
   */
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

  /**
   * Activates watches. One whose key has changed since the watch was created fires at once. The
   * newest version is retained after the watches are added: a commit in between would otherwise be
   * noticed by neither the comparison nor {@link #changed}.
   */
  void arm(List<Watch> watches, Supplier<PublishedVersion> newest) {
    watches.stream().filter(watch -> !watch.future.isDone()).forEach(this::addUnlessDone);
    PublishedVersion published = newest.get();
    try {
      for (Watch watch : watches) {
        if (closed) {
          watch.fail(Refusal.CLOSED.toException());
        } else if (!watch.future.isDone() && !Arrays.equals(published.get(watch.key), watch.seen)) {
          watch.future.complete(null);
        }
      }
    } finally {
      published.release();
    }
  }

  private void addUnlessDone(Watch watch) {
    add(watch);
    if (watch.future.isDone()) {
      remove(watch);
    }
  }

  /** Fires the watches of written keys whose value has changed. */
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
      executor.execute(() -> fired.forEach(watch -> watch.future.complete(null)));
    }
  }

  /** Fails every watch with {@code STORE_CLOSED}. */
  void close() {
    closed = true;
    shutdown.run();
    byKey.values().forEach(all -> all.forEach(watch -> watch.fail(Refusal.CLOSED.toException())));
  }

  private Map<byte[], Set<Watch>> watched(Span span) {
    if (!span.isPoint()) {
      return byKey.subMap(span.begin(), true, span.end(), false);
    }
    Set<Watch> all = byKey.get(span.begin());
    return all == null ? Map.of() : Map.of(span.begin(), all);
  }

  // A skip list does not compute atomically: without the lock, the removal of a key's last watch
  // could take along one that is added meanwhile, which would then never fire.
  private synchronized void add(Watch watch) {
    byKey.computeIfAbsent(watch.key, key -> ConcurrentHashMap.newKeySet()).add(watch);
  }

  private synchronized void remove(Watch watch) {
    byKey.computeIfPresent(
        watch.key,
        (key, others) -> {
          others.remove(watch);
          return others.isEmpty() ? null : others;
        });
  }

  /** A watch of one key. */
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
