package dev.bridle.core.server;

import dev.bridle.core.seal.MasterKey;
import java.time.Duration;
import java.util.Optional;

/**
 * What callers are let in with, and what secrets are sealed with.
 *
 * @param masterKey what secrets are sealed with before they are stored; without one nothing can be
 *     sealed, and no token be signed
 * @param tokenLifetime for how long an access token is good; at most 24 hours
 */
public record AccessOptions(Optional<MasterKey> masterKey, Duration tokenLifetime) {
  /** No master key, and tokens of an hour. */
  public static final AccessOptions NONE =
      new AccessOptions(Optional.empty(), Duration.ofHours(1));

  /** Returns these options with a master key. */
  public AccessOptions withMasterKey(MasterKey key) {
    return new AccessOptions(Optional.of(key), tokenLifetime);
  }

  /** Returns these options with another lifetime of tokens. */
  public AccessOptions withTokenLifetime(Duration lifetime) {
    return new AccessOptions(masterKey, lifetime);
  }
}
