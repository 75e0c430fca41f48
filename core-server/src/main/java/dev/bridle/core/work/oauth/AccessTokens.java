package dev.bridle.core.work.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.Ed25519Signer;
import com.nimbusds.jose.crypto.Ed25519Verifier;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.Credentials;
import dev.bridle.core.kernel.auth.StoredCredential;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.kernel.signing.SigningPurpose;
import dev.bridle.storage.KeyValueStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Access tokens of this server's own: JWTs (RFC 9068), signed with EdDSA. Each use looks the client
 * up, so a revoked client's tokens end at once.
 */
public final class AccessTokens implements Credentials {
  /** The longest that a token may be good for. */
  public static final Duration MAX_LIFETIME = Duration.ofHours(24);

  private static final JOSEObjectType TYPE = new JOSEObjectType("at+jwt");
  private static final String SCOPE = "scope";
  private static final String CLIENT = "client_id";
  private static final String TENANT = "tenant";

  private final KeyValueStore store;
  private final OAuthClients clients;
  private final SigningKeys keys;
  private final LiveTenants tenants;
  private final Issuer issuer;
  private final IdMint mint;
  private final Clock clock;
  private final Duration lifetime;

  public AccessTokens(
      CoreContext context,
      OAuthClients clients,
      SigningKeys keys,
      LiveTenants tenants,
      Issuer issuer,
      Duration lifetime) {
    if (lifetime.compareTo(Duration.ofSeconds(1)) < 0 || lifetime.compareTo(MAX_LIFETIME) > 0) {
      throw new IllegalArgumentException("a token's lifetime of " + lifetime);
    }
    this.store = context.store();
    this.clients = clients;
    this.keys = keys;
    this.tenants = tenants;
    this.issuer = issuer;
    this.mint = context.mint();
    this.clock = context.clock();
    this.lifetime = lifetime;
  }

  /** Returns for how long a token is good. */
  Duration lifetime() {
    return lifetime;
  }

  /** Signs a token for a client. */
  String issue(CredentialStore.Owned client, List<String> scopes) {
    String url = issuer.need();
    OctetKeyPair key = keys.current(SigningPurpose.TOKEN);
    Instant now = clock.instant();
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(url)
            .audience(url)
            .subject(client.credential().id())
            .claim(CLIENT, client.credential().id())
            .claim(TENANT, client.tenant())
            .claim(SCOPE, String.join(" ", scopes))
            .issueTime(Date.from(now))
            .notBeforeTime(Date.from(now))
            .expirationTime(Date.from(now.plus(lifetime)))
            .jwtID(mint.next("token"))
            .build();
    JWSHeader header =
        new JWSHeader.Builder(JWSAlgorithm.EdDSA).type(TYPE).keyID(key.getKeyID()).build();
    SignedJWT token = new SignedJWT(header, claims);
    try {
      token.sign(new Ed25519Signer(key));
    } catch (JOSEException e) {
      throw new IllegalStateException("a token can't be signed", e);
    }
    return token.serialize();
  }

  @Override
  public Optional<Caller> authenticate(String bearer) {
    Optional<SignedJWT> token =
        Jwts.parse(bearer)
            .filter(jwt -> JWSAlgorithm.EdDSA.equals(jwt.getHeader().getAlgorithm()))
            .filter(jwt -> TYPE.equals(jwt.getHeader().getType()));
    return token.flatMap(this::ours).flatMap(claims -> caller(token.get(), claims));
  }

  /** Returns the claims, not yet verified, of a token that says it is this server's. */
  private Optional<JWTClaimsSet> ours(SignedJWT token) {
    return issuer
        .url()
        .flatMap(
            url ->
                Jwts.claims(token)
                    .filter(claims -> url.equals(claims.getIssuer()))
                    .filter(claims -> claims.getAudience().contains(url))
                    .filter(claims -> TokenTimes.hold(claims, clock)));
  }

  private Optional<Caller> caller(SignedJWT token, JWTClaimsSet claims) {
    Optional<String> tenant = Jwts.text(claims, TENANT);
    Optional<String> client = Jwts.text(claims, CLIENT);
    if (tenant.isEmpty() || client.isEmpty()) {
      return Optional.empty();
    }
    record Found(OctetKeyPair key, StoredCredential client) {}
    // What the token names is looked up before it is verified, in one read; nothing comes of it
    // where the signature does not hold.
    return store
        .read(
            tr ->
                keys.verifying(tr, SigningPurpose.TOKEN, token.getHeader().getKeyID())
                    .filter(key -> tenants.has(tr, tenant.get()))
                    .flatMap(
                        key ->
                            clients
                                .active(tr, tenant.get(), client.get())
                                .map(record -> new Found(key, record))))
        .filter(found -> verified(token, found.key()))
        .map(found -> caller(tenant.get(), found.client(), claims));
  }

  private static boolean verified(SignedJWT token, OctetKeyPair key) {
    try {
      return token.verify(new Ed25519Verifier(key));
    } catch (JOSEException e) {
      return false;
    }
  }

  private static Caller caller(String tenant, StoredCredential client, JWTClaimsSet claims) {
    Set<String> scopes =
        Arrays.stream(Jwts.text(claims, SCOPE).orElse("").split(" "))
            .filter(scope -> !scope.isEmpty())
            .collect(Collectors.toSet());
    return new Caller(tenant, client.actor(), scopes, Set.copyOf(client.workspaces()), false);
  }
}
