package dev.bridle.proof.key;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongBinaryOperator;

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
   * other reason nothing counts: who has a stolen key can date a receipt as they like. Where it is
   * known since when a key is compromised, what it signed before may be older than that, or dated
   * so by a thief.
   *
   * @param at when
   * @param reason {@code superseded}, {@code compromised}, {@code unspecified}
   * @param compromisedSince the first second in which others may have had the key; empty: not known
   */
  public record Revocation(long at, String reason, OptionalLong compromisedSince) {
    /** The reason that leaves earlier signatures valid. */
    public static final String SUPERSEDED = "superseded";

    /** The reason of a key that others may have. */
    public static final String COMPROMISED = "compromised";

    /** Returns the first second at which nothing counts any more. */
    long refusedFrom() {
      return switch (reason) {
        case SUPERSEDED -> at;
        case COMPROMISED -> compromisedSince.orElse(Long.MIN_VALUE);
        default -> Long.MIN_VALUE;
      };
    }

    boolean refuses(long second) {
      return second >= refusedFrom();
    }

    /**
     * Returns what holds if both are known: nothing counts from the earlier second on, and if
     * others may have had the key, what it signed before is in doubt.
     */
    Revocation and(Revocation other) {
      Revocation earlier = refusedFrom() <= other.refusedFrom() ? this : other;
      boolean isInDoubt = compromisedSince.isPresent() || other.compromisedSince.isPresent();
      return !isInDoubt || earlier.refusedFrom() == Long.MIN_VALUE
          ? earlier
          : new Revocation(
              Math.min(at, other.at), COMPROMISED, OptionalLong.of(earlier.refusedFrom()));
    }
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
    return revoked(new Revocation(at, reason, OptionalLong.empty()));
  }

  /**
   * Returns the same validity with the revocation of a key that others may have had. One that
   * refuses more stays.
   */
  public KeyValidity compromised(long at, long since) {
    return narrowed(new Revocation(at, Revocation.COMPROMISED, OptionalLong.of(since)));
  }

  /** Returns the same validity with what another revocation refuses too. */
  public KeyValidity narrowed(Revocation other) {
    return revoked(revocation.map(one -> one.and(other)).orElse(other));
  }

  /** Returns what holds if both are known: a signature counts only where it does for each. */
  public KeyValidity and(KeyValidity other) {
    KeyValidity both =
        new KeyValidity(
            of(issuedAt, other.issuedAt, Math::max),
            of(notBefore, other.notBefore, Math::max),
            of(expiresAt, other.expiresAt, Math::min),
            revocation);
    return other.revocation.map(both::narrowed).orElse(both);
  }

  private static OptionalLong of(OptionalLong one, OptionalLong other, LongBinaryOperator both) {
    return one.isPresent() && other.isPresent()
        ? OptionalLong.of(both.applyAsLong(one.getAsLong(), other.getAsLong()))
        : one.isPresent() ? one : other;
  }

  /** Returns the same validity as if nothing was known of others who may have had the key. */
  public KeyValidity undisputed() {
    return revocation.filter(one -> one.compromisedSince().isPresent()).isEmpty()
        ? this
        : new KeyValidity(issuedAt, notBefore, expiresAt, Optional.empty());
  }

  private KeyValidity revoked(Revocation revocation) {
    return new KeyValidity(issuedAt, notBefore, expiresAt, Optional.of(revocation));
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
        .filter(one -> one.refuses(second))
        .map(one -> "the key is revoked (" + one.reason() + ")");
  }

  /**
   * Returns why nobody can know whether a signature was made at a time, which its key does not
   * refuse; empty if it was.
   */
  public Optional<String> doubtAt(long second) {
    return revocation
        .filter(one -> one.compromisedSince().isPresent() && !one.refuses(second))
        .map(
            one ->
                "the key is compromised since "
                    + Instant.ofEpochSecond(one.compromisedSince().getAsLong())
                    + "; whether this is older can't be known");
  }
}
