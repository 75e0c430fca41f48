package dev.bridle.core.api.event;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connection.TokenBucket;
import dev.bridle.core.kernel.error.ProtocolException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Limits the event streams of this process: those that are open, in total and per tenant, and how
 * often a tenant opens one, since each open reads. Thread-safe.
 */
public final class StreamSlots {
  /** All clients of a tenant come back at once after a restart, and are let in. */
  private static final int LEAST_BURST = 100;

  private static final double OPENS_PER_SECOND = 100;
  private static final int MOST_TENANTS = 10_000;
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private final int all;
  private final int ofTenant;
  private final LongSupplier nanoTime;
  private final Map<String, Integer> taken = new HashMap<>();
  private final Cache<String, TokenBucket> opens;
  private int takenByAll;

  /**
   * Creates the limits.
   *
   * @param all the maximum number of open streams
   * @param ofTenant the maximum number of open streams of one tenant, which it may open at once
   * @param nanoTime the clock
   */
  public StreamSlots(int all, int ofTenant, LongSupplier nanoTime) {
    this.all = all;
    this.ofTenant = ofTenant;
    this.nanoTime = nanoTime;
    this.opens =
        Caffeine.newBuilder().maximumSize(MOST_TENANTS).expireAfterAccess(FORGOTTEN).build();
  }

  /** Acquires a slot for a tenant's stream; {@code rate_limited} if none is free. */
  synchronized void acquire(String tenant) {
    int own = taken.getOrDefault(tenant, 0);
    if (own >= ofTenant) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "The tenant has as many event streams open as it may; close some.")
          .with("max_event_streams", ofTenant);
    }
    if (takenByAll >= all) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "Too many event streams are open; try again later.")
          .with("max_streams", all);
    }
    TokenBucket bucket =
        opens.get(
            tenant,
            name -> new TokenBucket(Math.max(ofTenant, LEAST_BURST), OPENS_PER_SECOND, nanoTime));
    if (!bucket.take()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "The tenant opens event streams too often; keep them open, and try again later.")
          .retryAfter(1);
    }
    taken.put(tenant, own + 1);
    takenByAll++;
  }

  /** Releases the slot of an ended stream. */
  synchronized void release(String tenant) {
    taken.computeIfPresent(tenant, (name, own) -> own > 1 ? own - 1 : null);
    takenByAll--;
  }
}
