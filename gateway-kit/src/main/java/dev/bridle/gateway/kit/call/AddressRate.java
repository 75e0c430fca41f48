package dev.bridle.gateway.kit.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Limits how often a remote address may make requests without credentials: a number at once, and
 * one more after each interval. IPv6 addresses of one /64 network share a limit, since one machine
 * usually has all of them. Thread-safe.
 */
public final class AddressRate {
  private static final int MOST_ADDRESSES = 10_000;
  private static final int NETWORK_BYTES = 8;
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private final int burst;
  private final Duration interval;
  private final LongSupplier nanoTime;
  private final Cache<String, Bucket> buckets =
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
    Bucket bucket = buckets.get(network(address), name -> new Bucket(burst, nanoTime.getAsLong()));
    if (!bucket.take(nanoTime.getAsLong())) {
      ProtocolError error =
          ProtocolError.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "Too many requests without credentials come from this address; try again later.");
      throw new ProtocolException(
          error.retryAfter((int) Math.max(1, Math.ceil(interval.toMillis() / 1000.0))));
    }
  }

  private static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }

  private final class Bucket {
    private double left;
    private long at;

    Bucket(int left, long at) {
      this.left = left;
      this.at = at;
    }

    synchronized boolean take(long now) {
      left = Math.min(burst, left + (double) (now - at) / interval.toNanos());
      at = now;
      if (left < 1) {
        return false;
      }
      left--;
      return true;
    }
  }
}
