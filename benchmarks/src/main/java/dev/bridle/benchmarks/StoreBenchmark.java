package dev.bridle.benchmarks;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the store does: synced commits a second, of one key and of 8 reads and 8 writes, beside
 * plain synced puts into RocksDB at the same concurrency; events appended; events read by range.
 *
 * <p>Usage: {@code StoreBenchmark [seconds of each figure] [--cluster-file PATH]}.
 */
public final class StoreBenchmark {
  private static final int[] CONCURRENCIES = {1, 16, 64, 256};
  private static final int[] APPENDERS = {1, 16, 64};
  private static final int KEYS = 200_000;
  private static final int KEYS_EACH = 8;
  private static final int VALUE_BYTES = 100;
  private static final int BODY_BYTES = 400;
  private static final int READ_EVENTS = 200_000;
  private static final int PAGE = 500;
  private static final String TENANT = "benchmark";

  private final Table table;
  private final Duration time;
  private final KeyValueStore store;
  private final byte[] value = new byte[VALUE_BYTES];
  private final byte[] body = new byte[BODY_BYTES];
  private final AtomicLong number = new AtomicLong();

  private StoreBenchmark(Table table, Duration time, KeyValueStore store) {
    this.table = table;
    this.time = time;
    this.store = store;
    new Random(1).nextBytes(body);
  }

  /** Runs all figures and prints them as a table. */
  public static void main(String[] args) throws Exception {
    Target target = Target.of(args);
    Duration time = Duration.ofSeconds(target.number(0, 4));
    Table table = new Table(System.out);
    table.title(target + ", " + time + " of each figure after half as much warm-up");
    target.run(
        store -> {
          StoreBenchmark benchmark = new StoreBenchmark(table, time, store);
          benchmark.commits(target.embedded());
          benchmark.events();
        });
    System.exit(0);
  }

  private void commits(boolean beside) throws Exception {
    fill();
    table.head("at", "per second", "p50 ms", "p99 ms");
    for (int concurrency : CONCURRENCIES) {
      if (beside) {
        // One after the other at each concurrency, so that the machine's mood is the same.
        try (RocksYardstick rocks = new RocksYardstick()) {
          print("plain RocksDB, synced puts", concurrency, rocks.run(concurrency, time));
        }
      }
      print("commits of one key", concurrency, run(concurrency, this::commitOneKey));
      print("commits of 8 reads and 8 writes", concurrency, run(concurrency, this::readAndWrite));
    }
  }

  private void fill() {
    for (int from = 0; from < KEYS; from += PAGE) {
      int first = from;
      store.transact(
          tr -> {
            for (int i = first; i < first + PAGE; i++) {
              tr.set(key(2, i), value);
            }
            return true;
          });
    }
  }

  private void commitOneKey() {
    byte[] key = key(1, number.getAndIncrement());
    store.transact(
        tr -> {
          tr.set(key, value);
          return true;
        });
  }

  private void readAndWrite() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    store.transact(
        tr -> {
          List<CompletableFuture<Optional<byte[]>>> reads = new ArrayList<>();
          for (int i = 0; i < KEYS_EACH; i++) {
            reads.add(tr.getAsync(key(2, random.nextInt(KEYS))));
          }
          reads.forEach(CompletableFuture::join);
          for (int i = 0; i < KEYS_EACH; i++) {
            tr.set(key(2, random.nextInt(KEYS)), value);
          }
          return true;
        });
  }

  private void events() throws Exception {
    EventLog log = EventLog.open(store, KeyLayout.root());
    for (int appenders : APPENDERS) {
      for (int each : new int[] {1, 10}) {
        Load.Result result = run(appenders, () -> append(log, stream(), each));
        table.line(
            "events appended, " + each + " a transaction",
            appenders,
            result.perSecond() * each,
            result.p50Millis(),
            result.p99Millis());
      }
    }
    for (int i = 0; i < READ_EVENTS / PAGE; i++) {
      append(log, "read", PAGE);
    }
    table.head("", "events/s", "MB/s");
    for (int round = 0; round < 2; round++) {
      read(log, round == 0 ? "events read by range, first time" : "events read by range, again");
    }
  }

  private void append(EventLog log, String stream, int events) {
    store.transact(
        tr -> {
          var appender = log.appender(tr, TENANT);
          for (int i = 0; i < events; i++) {
            appender.append(stream, body);
          }
          appender.finish();
          return true;
        });
  }

  private void read(EventLog log, String what) {
    long began = System.nanoTime();
    long bytes = 0;
    int events = 0;
    Optional<EventId> after = Optional.empty();
    while (true) {
      Optional<EventId> from = after;
      List<StoredEvent> page = store.read(tr -> log.readStream(tr, TENANT, "read", from, PAGE));
      if (page.isEmpty()) {
        break;
      }
      for (StoredEvent event : page) {
        bytes += event.body().length;
      }
      events += page.size();
      after = Optional.of(page.get(page.size() - 1).id());
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    if (events != READ_EVENTS) {
      throw new IllegalStateException(events + " events were read, not " + READ_EVENTS);
    }
    table.line(what, 1, events / seconds, bytes / seconds / 1e6);
  }

  private Load.Result run(int concurrency, ThreadLoad.Operation operation) throws Exception {
    return ThreadLoad.run(concurrency, time, thread -> operation);
  }

  private void print(String what, int concurrency, Load.Result result) {
    table.line(what, concurrency, result.perSecond(), result.p50Millis(), result.p99Millis());
  }

  private static String stream() {
    return "stream " + Thread.currentThread().getId();
  }

  private static byte[] key(int space, long number) {
    return ByteBuffer.allocate(9).put((byte) space).putLong(number).array();
  }
}
