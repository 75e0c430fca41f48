package dev.bridle.storage;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that a store does not answer, and once that it does again: a transaction ran out of
 * time, and none has succeeded since it began. Thread-safe.
 */
final class Outage {
  private static final Logger log = LoggerFactory.getLogger(Outage.class);

  private static final long SHORTEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Clock clock;
  private final LongSupplier nanoTime;
  private final AtomicReference<Optional<Long>> begun = new AtomicReference<>(Optional.empty());
  private volatile long answeredAt;

  Outage(Clock clock, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.answeredAt = nanoTime.getAsLong();
  }

  /** A transaction has succeeded. */
  void answered() {
    long now = nanoTime.getAsLong();
    answeredAt = now;
    Optional<Long> since = begun.get();
    if (since.isPresent() && begun.compareAndSet(since, Optional.empty())) {
      log.warn("The store answers again, after {} s.", seconds(now - since.get()));
    }
  }

  /**
   * A transaction has failed.
   *
   * @param beganAt when it began, by the clock of nanoseconds
   */
  void failed(StoreException failure, long beganAt) {
    if (failure.code() == StoreException.Code.TIMED_OUT
        && answeredAt - beganAt < 0
        && nanoTime.getAsLong() - beganAt >= SHORTEST_NANOS
        && begun.compareAndSet(Optional.empty(), Optional.of(beganAt))) {
      Instant since =
          clock
              .instant()
              .minusNanos(nanoTime.getAsLong() - beganAt)
              .truncatedTo(ChronoUnit.SECONDS);
      log.warn(
          "The store does not answer since {}. What needs it fails until it does; this is said"
              + " once. ({})",
          since,
          failure.getMessage());
    }
  }

  private static long seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos);
  }
}
