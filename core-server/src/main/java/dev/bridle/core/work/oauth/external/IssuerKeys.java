package dev.bridle.core.work.oauth.external;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.CachingJWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.OutageTolerantJWKSetSource;
import com.nimbusds.jose.jwk.source.RateLimitedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer, cached. They are fetched again when they are old, and when a token names
 * an unknown one, at most twice in {@link #PAUSE}: otherwise invented key ids would flood the
 * issuer with requests. Safe for use by several threads.
 */
final class IssuerKeys {
  /** How long keys are used without a fetch. */
  static final Duration FRESH = Duration.ofMinutes(10);

  /** How long they are used while the issuer can't be reached. */
  static final Duration USABLE = Duration.ofHours(1);

  /** The interval of the rate limit. */
  static final Duration PAUSE = Duration.ofSeconds(30);

  /** How long a caller waits for another one's fetch. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final Logger log = LoggerFactory.getLogger(IssuerKeys.class);

  private final String issuer;
  private final JWKSetSource<SecurityContext> source;
  private final LongSupplier nanoTime;

  IssuerKeys(String issuer, JWKSetSource<SecurityContext> published, LongSupplier nanoTime) {
    this.issuer = issuer;
    this.nanoTime = nanoTime;
    this.source =
        new CachingJWKSetSource<>(
            new OutageTolerantJWKSetSource<>(
                new RateLimitedJWKSetSource<>(published, PAUSE.toMillis(), null),
                USABLE.toMillis(),
                null),
            FRESH.toMillis(),
            PATIENCE.toMillis(),
            null);
  }

  /**
   * Returns the key of an id; empty where the issuer publishes none.
   *
   * @throws ProtocolException {@code upstream_unavailable} where its keys are not known now
   */
  Optional<JWK> find(String id) {
    JWKSet keys = known();
    JWK key = keys.getKeyByKeyId(id);
    return key != null ? Optional.of(key) : Optional.ofNullable(newer(keys).getKeyByKeyId(id));
  }

  private JWKSet known() {
    try {
      return fetch(JWKSetCacheRefreshEvaluator.noRefresh());
    } catch (KeySourceException e) {
      log.warn("The keys of the issuer {} can't be fetched: {}", issuer, e.getMessage());
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_UPSTREAM_UNAVAILABLE,
          "The keys of the token's issuer can't be fetched at present.");
    }
  }

  /** Returns the keys after another fetch; the same ones where there is none at present. */
  private JWKSet newer(JWKSet keys) {
    try {
      return fetch(JWKSetCacheRefreshEvaluator.referenceComparison(keys));
    } catch (KeySourceException e) {
      return keys;
    }
  }

  private JWKSet fetch(JWKSetCacheRefreshEvaluator refresh) throws KeySourceException {
    return source.getJWKSet(refresh, TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong()), null);
  }
}
