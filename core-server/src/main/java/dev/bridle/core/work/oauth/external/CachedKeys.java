package dev.bridle.core.work.oauth.external;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer, as they were last fetched. They are fetched again when they get old, and
 * when a token names one that is not among them, but never more often than every {@link #PAUSE}:
 * otherwise whoever makes up key ids could have the issuer asked without end.
 */
final class CachedKeys {
  /** How long keys are used without asking again. */
  static final Duration FRESH = Duration.ofMinutes(10);

  /** How long they are used while the issuer can't be reached. */
  static final Duration USABLE = Duration.ofHours(1);

  /** How long nothing is asked after an attempt. */
  static final Duration PAUSE = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(CachedKeys.class);

  private final String issuer;
  private final KeySource source;
  private final LongSupplier nanoTime;
  private final ReentrantLock fetching = new ReentrantLock();
  private volatile Optional<Fetched> fetched = Optional.empty();
  private volatile Optional<Long> attempted = Optional.empty();

  CachedKeys(String issuer, KeySource source, LongSupplier nanoTime) {
    this.issuer = issuer;
    this.source = source;
    this.nanoTime = nanoTime;
  }

  private record Fetched(JWKSet keys, long at) {}

  /**
   * Returns the key of an id; empty where the issuer publishes none.
   *
   * @throws ProtocolException {@code upstream_unavailable} where its keys are not known just now
   */
  Optional<JWK> find(String id) {
    if (usable().isEmpty()) {
      fetching.lock(); // All wait for the first one, which is bounded in time.
      try {
        if (usable().isEmpty()) {
          fetch();
        }
      } finally {
        fetching.unlock();
      }
    } else if (age(fetched.get().at()) >= FRESH.toNanos()) {
      fetchUnlessBusy();
    }
    Optional<JWK> key = usable().orElseThrow(CachedKeys::unknown).key(id);
    if (key.isPresent()) {
      return key;
    }
    fetchUnlessBusy();
    return usable().orElseThrow(CachedKeys::unknown).key(id);
  }

  /** Somebody else who fetches is not waited for: the keys that are here may well do. */
  private void fetchUnlessBusy() {
    if (fetching.tryLock()) {
      try {
        fetch();
      } finally {
        fetching.unlock();
      }
    }
  }

  private void fetch() {
    if (attempted.filter(at -> age(at) < PAUSE.toNanos()).isPresent()) {
      return;
    }
    attempted = Optional.of(nanoTime.getAsLong());
    try {
      fetched = Optional.of(new Fetched(source.fetch(), nanoTime.getAsLong()));
    } catch (IOException | RuntimeException e) {
      log.warn("The keys of the issuer {} can't be had: {}", issuer, e.getMessage());
    }
  }

  private Optional<Usable> usable() {
    return fetched
        .filter(keys -> age(keys.at()) < USABLE.toNanos())
        .map(keys -> new Usable(keys.keys()));
  }

  private record Usable(JWKSet keys) {
    Optional<JWK> key(String id) {
      return Optional.ofNullable(keys.getKeyByKeyId(id));
    }
  }

  private long age(long at) {
    return nanoTime.getAsLong() - at;
  }

  private static ProtocolException unknown() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_UPSTREAM_UNAVAILABLE,
        "The keys of the token's issuer can't be fetched just now.");
  }
}
