package dev.bridle.benchmarks;

import dev.bridle.storage.KeyValueStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** The engine's own rate of synced one-key commits: what no task can be faster than. */
final class CommitYardstick {
  private CommitYardstick() {}

  static Load.Result run(KeyValueStore store, int concurrency, Duration time) {
    ExecutorService threads = Executors.newFixedThreadPool(concurrency);
    AtomicLong number = new AtomicLong();
    try {
      return Load.run(
          concurrency,
          time,
          () -> CompletableFuture.runAsync(() -> commit(store, number.getAndIncrement()), threads));
    } finally {
      threads.shutdown();
    }
  }

  private static void commit(KeyValueStore store, long number) {
    byte[] key = ByteBuffer.allocate(9).put((byte) 0x7f).putLong(number).array();
    store.transact(
        tr -> {
          tr.set(key, key);
          return true;
        });
  }
}
