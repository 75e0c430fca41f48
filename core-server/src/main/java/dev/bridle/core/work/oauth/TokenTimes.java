package dev.bridle.core.work.oauth;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;

/** Whether a token's times hold now, with room for clocks that differ a little. */
public final class TokenTimes {
  /** By how much the clocks of issuer and server may differ. */
  public static final Duration SKEW = Duration.ofSeconds(30);

  private TokenTimes() {}

  /** Returns whether a token has an expiry that is not over, and was not made for later. */
  public static boolean hold(JWTClaimsSet claims, Clock clock) {
    Instant now = clock.instant();
    return time(claims.getExpirationTime()).filter(exp -> now.isBefore(exp.plus(SKEW))).isPresent()
        && time(claims.getNotBeforeTime()).map(nbf -> !now.isBefore(nbf.minus(SKEW))).orElse(true)
        && time(claims.getIssueTime()).map(iat -> !now.isBefore(iat.minus(SKEW))).orElse(true);
  }

  private static Optional<Instant> time(Date date) {
    return Optional.ofNullable(date).map(Date::toInstant);
  }
}
