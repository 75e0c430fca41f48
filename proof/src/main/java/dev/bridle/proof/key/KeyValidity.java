package dev.bridle.proof.key;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * When signatures of a key count. All times are seconds since 1970-01-01T00:00:00Z.
 *
 * @param issuedAt when the key was made ({@code iat}); for information
 * @param notBefore the first second ({@code nbf}); empty: no bound
 * @param expiresAt the first second in which it no longer signs ({@code exp}); empty: no bound
 * @param revocation why it was withdrawn ({@code revoked}), if it was
 */
public record KeyValidity(
    OptionalLong issuedAt,
    OptionalLong notBefore,
    OptionalLong expiresAt,
    Optional<Revocation> revocation) {
  /** Valid at any time. */
  public static final KeyValidity UNBOUNDED =
      new KeyValidity(
          OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty());

  /**
   * The withdrawal of a key. What it signed earlier still counts if the key was superseded. For any
   * other reason nothing counts: who has a stolen key can date a receipt as they like.
   *
   * @param at when
   * @param reason {@code superseded}, {@code compromised}, {@code unspecified}
   */
  public record Revocation(long at, String reason) {
    /** The reason that leaves earlier signatures valid. */
    public static final String SUPERSEDED = "superseded";
  }

  /** Returns a validity that begins with one second and ends before another. */
  public static KeyValidity between(long notBefore, long expiresAt) {
    return new KeyValidity(
        OptionalLong.of(notBefore),
        OptionalLong.of(notBefore),
        OptionalLong.of(expiresAt),
        Optional.empty());
  }

  /** Returns the same validity with a revocation. */
  public KeyValidity revoked(long at, String reason) {
    return new KeyValidity(issuedAt, notBefore, expiresAt, Optional.of(new Revocation(at, reason)));
  }

  /** Returns why a signature of a time does not count; empty if it does. */
  public Optional<String> faultAt(long second) {
    if (notBefore.isPresent() && second < notBefore.getAsLong()) {
      return Optional.of("the key is not valid yet at that time");
    }
    if (expiresAt.isPresent() && second >= expiresAt.getAsLong()) {
      return Optional.of("the key has expired at that time");
    }
    return revocation
        .filter(one -> !one.reason().equals(Revocation.SUPERSEDED) || second >= one.at())
        .map(one -> "the key is revoked (" + one.reason() + ")");
  }
}
