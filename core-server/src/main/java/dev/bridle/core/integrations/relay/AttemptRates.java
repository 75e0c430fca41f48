package dev.bridle.core.integrations.relay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.bridle.connection.TokenBucket;
import dev.bridle.core.kernel.call.CallNetwork;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How often callers without a credential may be wrong: by the network that they call from, so that
 * none uses up what others have; and all together, at a rate at which codes of 40 bits can't be
 * guessed. Thread-safe.
 */
final class AttemptRates {
  private static final int BURST = 50;
  private static final double PER_SECOND = 5;
  private static final int BURST_OF_ALL = 5_000;
  private static final double PER_SECOND_OF_ALL = 500;
  private static final int MOST_NETWORKS = 10_000;
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private final LongSupplier nanoTime;
  private final TokenBucket ofAll;
  private final Cache<String, TokenBucket> byNetwork =
      Caffeine.newBuilder().maximumSize(MOST_NETWORKS).expireAfterAccess(FORGOTTEN).build();

  AttemptRates(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.ofAll = new TokenBucket(BURST_OF_ALL, PER_SECOND_OF_ALL, nanoTime);
  }

  /**
   * Fails with {@code rate_limited} where the current call's network, or all, were wrong too often.
   */
  void check() {
    if (ofAll.isEmpty()
        || CallNetwork.current().map(this::of).filter(TokenBucket::isEmpty).isPresent()) {
      throw RelayErrors.tooManyAttempts();
    }
  }

  /** Counts a wrong attempt of the current call. */
  void wrong() {
    var unused = ofAll.take();
    CallNetwork.current().map(this::of).ifPresent(TokenBucket::take);
  }

  private TokenBucket of(String network) {
    return byNetwork.get(network, name -> new TokenBucket(BURST, PER_SECOND, nanoTime));
  }
}
