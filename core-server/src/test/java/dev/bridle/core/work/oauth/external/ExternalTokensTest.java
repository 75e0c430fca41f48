package dev.bridle.core.work.oauth.external;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.work.oauth.OAuthWorld;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalTokensTest {
  private static final String ISSUER = "https://id.example/realm";

  @TempDir private Path directory;
  private RealIssuer issuer;
  private JWK key;
  private final List<OAuthWorld> worlds = new ArrayList<>();

  @BeforeEach
  void begin() throws Exception {
    issuer = new RealIssuer();
    key = new OctetKeyPairGenerator(Curve.Ed25519).keyID("k1").generate();
    issuer.publishes(key);
  }

  @AfterEach
  void end() {
    worlds.forEach(OAuthWorld::close);
    issuer.close();
  }

  @Test
  void aTokenOfAKnownIssuerActsAsItsClaimsSay() throws Exception {
    OAuthWorld world = world("\"tenant\":\"default\"");

    assertThat(
            world.caller(signed(world, claims -> claims.claim("scope", "tasks:read tasks:write"))))
        .isEqualTo(
            Caller.newBuilder()
                .setTenantId("default")
                .setActor("id.example/alice")
                .addScopes("tasks:read")
                .addScopes("tasks:write")
                .build());
    assertThat(issuer.asked()).isEqualTo(1);
    assertThat(world.caller(signed(world, claims -> {})).getScopesList()).isEmpty();
    assertThat(issuer.asked()).as("keys are kept").isEqualTo(1);
  }

  @Test
  void eachKindOfKeyIsVerifiedAndNoneThatIsNotForSigning() throws Exception {
    RSAKey rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    JWK p256 = new ECKeyGenerator(Curve.P_256).keyID("p256").generate();
    JWK p384 = new ECKeyGenerator(Curve.P_384).keyID("p384").generate();
    JWK encrypts = new RSAKey.Builder(rsa).keyID("enc").keyUse(KeyUse.ENCRYPTION).build();
    JWK small = new RSAKeyGenerator(1024, true).keyID("small").generate();
    JWK only = new RSAKey.Builder(rsa).keyID("only").algorithm(JWSAlgorithm.PS256).build();
    issuer.publishes(key, rsa, p256, p384, encrypts, small, only);
    OAuthWorld world = world("\"tenant\":\"default\"");
    JWTClaimsSet claims = claims(world, any -> {});

    for (String good :
        List.of(
            RealIssuer.sign(rsa, JWSAlgorithm.RS256, claims),
            RealIssuer.sign(rsa, JWSAlgorithm.PS512, claims),
            RealIssuer.sign(p256, JWSAlgorithm.ES256, claims),
            RealIssuer.sign(p384, JWSAlgorithm.ES384, claims),
            RealIssuer.sign(only, JWSAlgorithm.PS256, claims))) {
      assertThat(world.caller(good).getActor()).isEqualTo("id.example/alice");
    }
    refused(world, RealIssuer.sign(encrypts, JWSAlgorithm.RS256, claims));
    refused(world, RealIssuer.sign(only, JWSAlgorithm.RS256, claims));
    refused(world, unsafe(small, claims));
  }

  @Test
  void aPublicKeyIsNoSharedSecret() throws Exception {
    OctetSequenceKey shared = new OctetSequenceKeyGenerator(256).keyID("shared").generate();
    issuer.answers(
        200,
        ("{\"keys\":[" + shared.toJSONString() + "," + key.toPublicJWK().toJSONString() + "]}")
            .getBytes(UTF_8));
    OAuthWorld world = world("\"tenant\":\"default\"");
    for (String kid : List.of("shared", "k1")) {
      SignedJWT mac =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(kid).build(),
              claims(world, any -> {}));
      mac.sign(new MACSigner(shared));
      refused(world, mac.serialize());
    }
  }

  @Test
  void whatIsNotForThisServerOrNotNowIsRefused() throws Exception {
    OAuthWorld world = world("\"tenant\":\"default\"");
    Instant now = world.clock.instant();
    List<Consumer<JWTClaimsSet.Builder>> wrong =
        List.of(
            claims -> claims.issuer("https://id.example/other"),
            claims -> claims.issuer(null),
            claims -> claims.audience("somebody-else"),
            claims -> claims.audience((String) null),
            claims -> claims.expirationTime(Date.from(now.minusSeconds(30))),
            claims -> claims.expirationTime(null),
            claims -> claims.expirationTime(Date.from(now.plusSeconds(25 * 3600))),
            claims -> claims.notBeforeTime(Date.from(now.plusSeconds(31))),
            claims -> claims.issueTime(Date.from(now.plusSeconds(31))),
            claims -> claims.subject(null),
            claims -> claims.subject("a".repeat(200)),
            claims -> claims.subject("two\nlines"));
    for (Consumer<JWTClaimsSet.Builder> change : wrong) {
      refused(world, signed(world, change));
    }
    assertThat(
            world.caller(signed(world, claims -> claims.expirationTime(Date.from(now)))).getActor())
        .as("within the skew")
        .isEqualTo("id.example/alice");
    JWK stranger = new OctetKeyPairGenerator(Curve.Ed25519).keyID("k1").generate();
    refused(world, RealIssuer.sign(stranger, JWSAlgorithm.EdDSA, claims(world, any -> {})));
  }

  @Test
  void administrationAndAllScopesAreGivenByTheOperatorAlone() throws Exception {
    OAuthWorld world = world("\"tenant\":\"default\"");
    Consumer<JWTClaimsSet.Builder> greedy =
        claims -> claims.claim("scope", List.of("*", "admin:write", "tasks:read", "No Scope"));
    assertThat(world.caller(signed(world, greedy)).getScopesList()).containsExactly("tasks:read");

    OAuthWorld bounded = world("\"tenant\":\"default\",\"scopes\":[\"tasks:write\"]");
    assertThat(bounded.caller(signed(bounded, greedy)).getScopesList()).isEmpty();
    assertThat(
            bounded
                .caller(signed(bounded, claims -> claims.claim("scope", "tasks:write tasks:read")))
                .getScopesList())
        .containsExactly("tasks:write");
  }

  @Test
  void aClaimNamesOnlyTenantsThatItMayAndWorkspacesAreNeverAllByAccident() throws Exception {
    OAuthWorld world =
        world(
            "\"tenant_claim\":\"org\",\"tenants\":[\"default\",\"gone\"],"
                + "\"workspace_claim\":\"ws\",\"actor_claim\":\"email\",\"actor_prefix\":\"\"");
    Consumer<JWTClaimsSet.Builder> right =
        claims ->
            claims.claim("org", "default").claim("ws", List.of("w1")).claim("email", "a@b.example");
    Caller caller = world.caller(signed(world, right));
    assertThat(caller.getWorkspaceIdsList()).containsExactly("w1");
    assertThat(caller.getActor()).isEqualTo("a@b.example");

    refused(world, signed(world, right.andThen(claims -> claims.claim("org", "acme"))));
    refused(world, signed(world, right.andThen(claims -> claims.claim("org", "gone"))));
    refused(world, signed(world, right.andThen(claims -> claims.claim("org", null))));
    refused(world, signed(world, right.andThen(claims -> claims.claim("ws", List.of()))));
    refused(world, signed(world, right.andThen(claims -> claims.claim("ws", null))));
  }

  @Test
  void tokensEndWithTheirTenant() throws Exception {
    OAuthWorld world = world("\"tenant\":\"default\"");
    String token = signed(world, claims -> {});
    assertThat(world.caller(token).getTenantId()).isEqualTo("default");
    var gone =
        TenantServiceGrpc.newBlockingStub(world.operator())
            .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId("default").build());
    assertThat(gone).isNotNull();
    refused(world, token);
  }

  @Test
  void anIssuerThatCantBeReachedIsNotTheCallersFaultAndIsNotAskedOverAndOver() throws Exception {
    OAuthWorld world = world("\"tenant\":\"default\"");
    issuer.answers(302, new byte[0]);
    String token = signed(world, claims -> {});
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> world.caller(token))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getMessage()).contains("can't be fetched"));
    }
    assertThat(issuer.asked()).isEqualTo(2);
  }

  @Test
  void aFileOfKeysDoesAsWell() throws Exception {
    Files.writeString(
        directory.resolve("keys.json"), "{\"keys\":[" + key.toPublicJWK().toJSONString() + "]}");
    OAuthWorld world =
        start(
            "{\"issuers\":[{\"issuer\":\""
                + ISSUER
                + "\",\"audience\":\"bridle\",\"jwks_file\":\"keys.json\",\"tenant\":\"default\"}]}");
    assertThat(world.caller(signed(world, claims -> {})).getActor()).isEqualTo("id.example/alice");
  }

  @Test
  void keysThatAreTooLongOrNoneAreRefused() {
    try (OutboundClient client =
        new OutboundClient(
            OutboundOptions.DEFAULT.withAllowed(List.of(AddressRange.parse("127.0.0.0/8"))))) {
      PublishedKeys keys = new PublishedKeys(java.net.URI.create(issuer.url()), client);
      issuer.answers(200, new byte[PublishedKeys.MAX_BYTES + 1]);
      assertUnavailable(keys, "longer");
      issuer.answers(200, "no keys".getBytes(UTF_8));
      assertUnavailable(keys, "JWK");
      issuer.answers(404, new byte[0]);
      assertUnavailable(keys, "404");
    }
  }

  private static void assertUnavailable(PublishedKeys keys, String why) {
    assertThatThrownBy(() -> keys.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), 0, null))
        .isInstanceOf(JWKSetUnavailableException.class)
        .hasMessageContaining(why);
  }

  private OAuthWorld world(String mapping) {
    return start(
        "{\"issuers\":[{\"issuer\":\""
            + ISSUER
            + "\",\"audience\":\"bridle\",\"jwks_url\":\""
            + issuer.url()
            + "\","
            + mapping
            + "}]}");
  }

  private OAuthWorld start(String file) {
    OAuthWorld world =
        new OAuthWorld(
            directory.resolve("data" + worlds.size()),
            access -> access.withIssuers(IssuerFile.parse(file, directory)));
    worlds.add(world);
    return world;
  }

  private String signed(OAuthWorld world, Consumer<JWTClaimsSet.Builder> change)
      throws JOSEException {
    return RealIssuer.sign(key, JWSAlgorithm.EdDSA, claims(world, change));
  }

  private static JWTClaimsSet claims(OAuthWorld world, Consumer<JWTClaimsSet.Builder> change) {
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience(List.of("other", "bridle"))
            .subject("alice")
            .expirationTime(Date.from(world.clock.instant().plus(Duration.ofMinutes(5))));
    change.accept(claims);
    return claims.build();
  }

  /** Signs with a key that is too small for any library that means well. */
  private static String unsafe(JWK small, JWTClaimsSet claims) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(small.getKeyID()).build(), claims);
    token.sign(
        new RSASSASigner(small.toRSAKey().toPrivateKey(), Set.of(AllowWeakRSAKey.getInstance())));
    return token.serialize();
  }

  private static void refused(OAuthWorld world, String token) {
    assertThatThrownBy(() -> world.caller(token))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e ->
                assertThat(e.getStatus().getCode())
                    .as(e.getMessage())
                    .isEqualTo(Status.Code.UNAUTHENTICATED));
  }
}
