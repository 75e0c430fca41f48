package dev.bridle.gateway.kit.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connection.ClientAddress;
import dev.bridle.connection.TokenBucket;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Limits how often a remote address may make requests without credentials: a number at once, and
 * one more after each interval. IPv6 addresses of one /64 network share a limit, since one machine
 * usually has all of them. Thread-safe.
 */
public final class AddressRate {
  private static final int MOST_ADDRESSES = 10_000;
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private final int burst;
  private final Duration interval;
  private final LongSupplier nanoTime;
  private final Cache<String, TokenBucket> buckets =
      Caffeine.newBuilder().maximumSize(MOST_ADDRESSES).expireAfterAccess(FORGOTTEN).build();

  /**
   * Creates a limit.
   *
   * @param burst the number of requests at once
   * @param interval the time after which one more is allowed
   * @param nanoTime the clock
   */
  public AddressRate(int burst, Duration interval, LongSupplier nanoTime) {
    this.burst = burst;
    this.interval = interval;
    this.nanoTime = nanoTime;
  }

  /**
   * Counts a request.
   *
   * @throws ProtocolException {@code rate_limited} if the address has made too many
   */
  public void take(InetAddress address) {
    TokenBucket bucket =
        buckets.get(
            ClientAddress.of(address).name(),
            name -> new TokenBucket(burst, 1e9 / interval.toNanos(), nanoTime));
    if (!bucket.take()) {
      ProtocolError error =
          ProtocolError.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "Too many requests without credentials come from this address; try again later.");
      throw new ProtocolException(
          error.retryAfter((int) Math.max(1, Math.ceil(interval.toMillis() / 1000.0))));
    }
  }
}
