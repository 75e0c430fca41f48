package dev.bridle.core.work.oauth.external;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.Credentials;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.work.oauth.AccessTokens;
import dev.bridle.core.work.oauth.Jwts;
import dev.bridle.core.work.oauth.LiveTenants;
import dev.bridle.core.work.oauth.ScopeNames;
import dev.bridle.core.work.oauth.TokenTimes;
import dev.bridle.storage.KeyValueStore;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Knows callers by tokens of the external issuers that the operator has named. */
public final class ExternalTokens implements Credentials {
  private static final Set<String> TYPES = Set.of("", "jwt", "at+jwt");
  private static final int MAX_NAME = 128;
  private static final String ADMINISTRATION = "admin:";

  private final KeyValueStore store;
  private final LiveTenants tenants;
  private final Clock clock;
  private final Map<String, Known> issuers = new HashMap<>();

  public ExternalTokens(
      KeyValueStore store,
      LiveTenants tenants,
      Clock clock,
      LongSupplier nanoTime,
      OutboundClient client,
      List<ExternalIssuer> issuers) {
    this.store = store;
    this.tenants = tenants;
    this.clock = clock;
    for (ExternalIssuer issuer : issuers) {
      IssuerKeys keys =
          new IssuerKeys(issuer.issuer(), new PublishedKeys(issuer.keys(), client), nanoTime);
      this.issuers.put(issuer.issuer(), new Known(issuer, keys));
    }
  }

  private record Known(ExternalIssuer issuer, IssuerKeys keys) {}

  @Override
  public Optional<Caller> authenticate(String bearer) {
    if (issuers.isEmpty()) {
      return Optional.empty();
    }
    return Jwts.parse(bearer)
        .filter(ExternalTokens::isAccessToken)
        .flatMap(token -> Jwts.claims(token).flatMap(claims -> caller(token, claims)));
  }

  private static boolean isAccessToken(SignedJWT token) {
    String type = Objects.toString(token.getHeader().getType(), "");
    return TYPES.contains(type.toLowerCase(Locale.ROOT));
  }

  private Optional<Caller> caller(SignedJWT token, JWTClaimsSet claims) {
    Optional<Known> known =
        Optional.ofNullable(claims.getIssuer())
            .map(issuers::get)
            .filter(one -> claims.getAudience().contains(one.issuer().audience()))
            .filter(one -> TokenTimes.hold(claims, clock) && isShort(claims));
    return known
        .filter(
            one ->
                one.keys()
                    .find(token.getHeader().getKeyID())
                    .filter(key -> Signatures.verify(token, key))
                    .isPresent())
        .flatMap(one -> mapped(one.issuer(), claims))
        .filter(caller -> store.read(tr -> tenants.has(tr, caller.tenant())));
  }

  /** Nobody can revoke such a token here, so it must end by itself. */
  private boolean isShort(JWTClaimsSet claims) {
    Instant most = clock.instant().plus(AccessTokens.MAX_LIFETIME).plus(TokenTimes.SKEW);
    return !claims.getExpirationTime().toInstant().isAfter(most);
  }

  private static Optional<Caller> mapped(ExternalIssuer issuer, JWTClaimsSet claims) {
    Optional<String> tenant =
        issuer
            .tenant()
            .or(() -> Jwts.text(claims, issuer.tenantClaim()).filter(issuer.tenants()::contains));
    Optional<String> actor =
        Jwts.text(claims, issuer.actorClaim())
            .map(name -> issuer.actorPrefix() + name)
            .filter(ExternalTokens::isName);
    Set<String> workspaces =
        issuer
            .workspaceClaim()
            .map(claim -> texts(claims.getClaim(claim)))
            .orElseGet(() -> Set.copyOf(issuer.workspaces()));
    // No workspaces would mean all of them.
    boolean bounded = issuer.workspaceClaim().isEmpty() || !workspaces.isEmpty();
    if (tenant.isEmpty() || actor.isEmpty() || !bounded) {
      return Optional.empty();
    }
    return Optional.of(
        new Caller(tenant.get(), actor.get(), scopes(issuer, claims), workspaces, false));
  }

  private static boolean isName(String actor) {
    return actor.length() <= MAX_NAME && actor.chars().noneMatch(Character::isISOControl);
  }

  private static Set<String> scopes(ExternalIssuer issuer, JWTClaimsSet claims) {
    Caller most = new Caller("", "", issuer.scopes(), Set.of(), false);
    return texts(claims.getClaim(issuer.scopeClaim())).stream()
        .filter(ScopeNames::isOne)
        .filter(
            scope ->
                issuer.scopes().isEmpty()
                    ? !scope.equals(Caller.ALL_SCOPES) && !scope.startsWith(ADMINISTRATION)
                    : issuer.scopes().contains(scope)
                        || (!scope.equals(Caller.ALL_SCOPES) && most.holds(scope)))
        .collect(Collectors.toSet());
  }

  private static Set<String> texts(Object claim) {
    if (claim instanceof String text) {
      return Arrays.stream(text.split(" "))
          .filter(one -> !one.isEmpty())
          .collect(Collectors.toSet());
    }
    return claim instanceof List<?> list
        ? list.stream()
            .filter(String.class::isInstance)
            .map(String.class::cast)
            .filter(one -> !one.isEmpty())
            .collect(Collectors.toSet())
        : Set.of();
  }
}
