package dev.bridle.core.work.oauth;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.bridle.core.kernel.validate.WellFormedText;
import java.text.ParseException;
import java.util.Optional;

/**
 * Reads what callers send as JWT. Nothing that it returns is verified, but all text is whole: it is
 * looked up in storage before it is verified.
 */
public final class Jwts {
  private static final int MAX_KEY_ID = 256;

  private Jwts() {}

  /** Returns a signed JWT that names its key; empty where a text is none. */
  public static Optional<SignedJWT> parse(String text) {
    if (!text.startsWith("ey") || text.chars().filter(c -> c == '.').count() != 2) {
      return Optional.empty();
    }
    try {
      SignedJWT jwt = SignedJWT.parse(text);
      String key = jwt.getHeader().getKeyID();
      boolean named =
          key != null
              && !key.isEmpty()
              && key.length() <= MAX_KEY_ID
              && WellFormedText.isWellFormedValue(jwt.getHeader().toJSONObject());
      return named ? Optional.of(jwt) : Optional.empty();
    } catch (ParseException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns a token's claims; empty where they can't be read. */
  public static Optional<JWTClaimsSet> claims(SignedJWT jwt) {
    try {
      return Optional.ofNullable(jwt.getJWTClaimsSet())
          .filter(claims -> WellFormedText.isWellFormedValue(claims.getClaims()));
    } catch (ParseException e) {
      return Optional.empty();
    }
  }

  /** Returns a claim that is a text and not empty. */
  public static Optional<String> text(JWTClaimsSet claims, String name) {
    return claims.getClaim(name) instanceof String text && !text.isEmpty()
        ? Optional.of(text)
        : Optional.empty();
  }
}
