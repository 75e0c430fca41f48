package dev.bridle.core.server;

import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.work.oauth.external.ExternalIssuer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What callers are let in with, and what secrets are sealed with.
 *
 * @param masterKey what secrets are sealed with before they are stored; without one nothing can be
 *     sealed, and no token be signed
 * @param tokenLifetime for how long an access token is good; at most 24 hours
 * @param issuers others whose tokens are let in
 */
public record AccessOptions(
    Optional<MasterKey> masterKey, Duration tokenLifetime, List<ExternalIssuer> issuers) {
  /** No master key, tokens of an hour, and no tokens of others. */
  public static final AccessOptions NONE =
      new AccessOptions(Optional.empty(), Duration.ofHours(1), List.of());

  /** Copies the issuers. */
  public AccessOptions {
    issuers = List.copyOf(issuers);
  }

  /** Returns these options with a master key. */
  public AccessOptions withMasterKey(MasterKey key) {
    return new AccessOptions(Optional.of(key), tokenLifetime, issuers);
  }

  /** Returns these options with another lifetime of tokens. */
  public AccessOptions withTokenLifetime(Duration lifetime) {
    return new AccessOptions(masterKey, lifetime, issuers);
  }

  /** Returns these options with others whose tokens are let in. */
  public AccessOptions withIssuers(List<ExternalIssuer> others) {
    return new AccessOptions(masterKey, tokenLifetime, others);
  }
}
