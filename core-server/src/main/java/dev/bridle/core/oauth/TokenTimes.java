package dev.bridle.core.oauth;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.Optional;

/** Whether a token's times hold now, with room for clocks that differ a little. */
public final class TokenTimes {
  /** By how much the clocks of issuer and server may differ. */
  public static final Duration SKEW = Duration.ofSeconds(30);

  private TokenTimes() {}

  /** Returns whether a token has an expiry that is not over, and was not made for later. */
  public static boolean hold(JWTClaimsSet claims, Clock clock) {
    long now = clock.millis();
    return millis(claims.getExpirationTime()).filter(exp -> now < exp + skew()).isPresent()
        && millis(claims.getNotBeforeTime()).map(nbf -> now >= nbf - skew()).orElse(true)
        && millis(claims.getIssueTime()).map(iat -> now >= iat - skew()).orElse(true);
  }

  private static long skew() {
    return SKEW.toMillis();
  }

  private static Optional<Long> millis(Date date) {
    return Optional.ofNullable(date).map(Date::getTime);
  }
}
