package dev.bridle.proof.key;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Compares the keys that an issuer publishes with those that somebody has kept. A kept key may only
 * come to count for less: it is retired, or revoked. All else means that the keys are not those of
 * the same issuer, or that somebody has meddled with them.
 *
 * @param changes what may not be, each as one sentence; empty if the published keys may replace the
 *     kept ones
 * @param unknown the published keys that nobody has kept or accepted
 */
public record PinnedKeys(List<String> changes, List<VerificationKey> unknown) {
  /** Copies the lists. */
  public PinnedKeys {
    changes = List.copyOf(changes);
    unknown = List.copyOf(unknown);
  }

  /**
   * Compares.
   *
   * @param accepted the ids of new keys that are accepted
   */
  public static PinnedKeys compare(KeySet kept, KeySet published, Set<String> accepted) {
    List<String> changes = new ArrayList<>();
    for (VerificationKey key : kept.keys()) {
      Optional<VerificationKey> now = published.find(key.id());
      if (now.isEmpty()) {
        changes.add("The key " + key.id() + " is no longer published.");
      } else if (!isNarrowed(key.validity(), now.get().validity())) {
        changes.add("The key " + key.id() + " counts for more, or at other times, than before.");
      }
    }
    List<VerificationKey> unknown =
        published.keys().stream()
            .filter(key -> kept.find(key.id()).isEmpty() && !accepted.contains(key.id()))
            .toList();
    return new PinnedKeys(changes, unknown);
  }

  private static boolean isNarrowed(KeyValidity before, KeyValidity now) {
    return now.issuedAt().equals(before.issuedAt())
        && least(now.notBefore()) >= least(before.notBefore())
        && most(now.expiresAt()) <= most(before.expiresAt())
        && before.revocation().map(was -> isNarrowed(was, now)).orElse(true);
  }

  /**
   * A revoked key stays revoked, and what was refused stays refused. A compromised key does not
   * come to be one that is only superseded: what is in doubt would then count.
   */
  private static boolean isNarrowed(KeyValidity.Revocation was, KeyValidity now) {
    return now.revocation()
        .filter(
            is ->
                was.reason().equals(is.reason())
                    || was.reason().equals(KeyValidity.Revocation.SUPERSEDED))
        .filter(is -> is.refusedFrom() <= was.refusedFrom())
        .isPresent();
  }

  private static long least(OptionalLong time) {
    return time.orElse(Long.MIN_VALUE);
  }

  private static long most(OptionalLong time) {
    return time.orElse(Long.MAX_VALUE);
  }
}
