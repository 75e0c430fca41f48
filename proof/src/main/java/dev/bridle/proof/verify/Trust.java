package dev.bridle.proof.verify;

import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import java.util.Optional;

/**
 * Which keys a verifier has, and whether it trusts them as issuers. With keys that are trusted, a
 * receipt that none of them has signed is invalid. Keys that nobody vouches for, such as those that
 * lie beside the receipts in a file, show whether the file agrees with itself, and prove nothing
 * about who issued it. Immutable.
 */
public final class Trust {
  private static final Trust NONE = new Trust(KeySet.EMPTY, false);

  private final KeySet keys;
  private final boolean isProven;

  private Trust(KeySet keys, boolean isProven) {
    this.keys = keys;
    this.isProven = isProven;
  }

  /** No keys: nothing is known of the origin of a receipt. */
  public static Trust none() {
    return NONE;
  }

  /** Keys that nobody vouches for. A wrong signature is found, a right one proves no origin. */
  public static Trust unproven(KeySet keys) {
    return new Trust(keys, false);
  }

  /**
   * Trusts a set of keys. Any key of the set may sign for any {@code issuer.id}, so it must hold
   * only keys that are trusted as issuers. With an empty set, nothing is valid.
   */
  public static Trust of(KeySet keys) {
    return new Trust(keys, true);
  }

  /** Returns the keys. */
  public KeySet keys() {
    return keys;
  }

  /** Returns whether the keys are trusted as issuers. */
  public boolean isProven() {
    return isProven;
  }

  Optional<VerificationKey> find(String id) {
    return keys.find(id);
  }
}
