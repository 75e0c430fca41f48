package dev.bridle.benchmarks;

import com.google.protobuf.ByteString;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventLog;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Appends numbered events to one session at a rate, and keeps when each one's commit returned. Each
 * is a transaction of its own, from one of a few threads.
 */
final class Posts {
  private static final int THREADS = 8;

  private final KeyValueStore store;
  private final EventLog log;
  private final String session;
  private final AtomicLongArray committed;

  /**
   * @param count how many events are appended
   */
  Posts(KeyValueStore store, EventLog log, String session, int count) {
    this.store = store;
    this.log = log;
    this.session = session;
    this.committed = new AtomicLongArray(count);
  }

  int count() {
    return committed.length();
  }

  /** Returns when the commit of an event returned; 0 where it has not yet. */
  long committedAt(int number) {
    return committed.get(number);
  }

  /** Appends all events, so many a second, and returns once the last one is committed. */
  void run(int perSecond) throws InterruptedException {
    long began = System.nanoTime();
    Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      int first = t;
      threads[t] =
          new Thread(
              () -> {
                for (int i = first; i < count(); i += THREADS) {
                  sleepUntil(began + i * TimeUnit.SECONDS.toNanos(1) / perSecond);
                  append(i);
                  committed.set(i, System.nanoTime());
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void append(int number) {
    byte[] record =
        EventRecord.newBuilder()
            .setEvent("vendor.bridle.benchmark")
            .setResourceObject("session")
            .setResourceId(session)
            .setSequence(number)
            .setCreatedAt(System.currentTimeMillis())
            .setActor("benchmark")
            .setSessionId(session)
            .setWorkspaceId("default")
            .setPayload(ByteString.copyFromUtf8("{\"n\":" + number + "}"))
            .build()
            .toByteArray();
    store.transact(
        tr -> {
          var appender = log.appender(tr, "default");
          appender.append(session, record);
          appender.finish();
          return true;
        });
  }

  private static void sleepUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
