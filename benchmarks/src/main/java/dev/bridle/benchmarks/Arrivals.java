package dev.bridle.benchmarks;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** What a reader of events waits for, and what has come. */
final class Arrivals implements EventReader {
  private final CompletableFuture<Void> live = new CompletableFuture<>();
  private final AtomicReference<Wanted> wanted = new AtomicReference<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Wanted(long[] at, CountDownLatch left) {}

  @Override
  public void awaitLive() {
    live.join();
  }

  @Override
  public void expect(int events) {
    wanted.set(new Wanted(new long[events], new CountDownLatch(events)));
  }

  @Override
  public long[] arrivals() throws InterruptedException {
    wanted.get().left().await();
    if (failure.get() != null) {
      throw new IllegalStateException("a stream ended early", failure.get());
    }
    return wanted.get().at();
  }

  /** Marks the end of the history; later events are live. */
  void live() {
    live.complete(null);
  }

  /** The event of that number has come. */
  void came(int number) {
    Wanted now = wanted.get();
    if (now != null) {
      now.at()[number] = System.nanoTime();
      now.left().countDown();
    }
  }

  /** Nothing comes any more. */
  void ended(Throwable reason) {
    failure.set(reason);
    live.completeExceptionally(reason);
    Optional.ofNullable(wanted.get())
        .ifPresent(
            now -> {
              while (now.left().getCount() > 0) {
                now.left().countDown();
              }
            });
  }
}
