package dev.bridle.core.server;

import dev.bridle.core.seal.MasterKey;
import java.util.Optional;

/**
 * What callers are let in with, and what secrets are sealed with.
 *
 * @param masterKey what secrets are sealed with before they are stored; without one nothing can be
 *     sealed
 */
public record AccessOptions(Optional<MasterKey> masterKey) {
  /** No master key: API keys alone let callers in. */
  public static final AccessOptions NONE = new AccessOptions(Optional.empty());

  /** Returns these options with a master key. */
  public AccessOptions withMasterKey(MasterKey key) {
    return new AccessOptions(Optional.of(key));
  }
}
