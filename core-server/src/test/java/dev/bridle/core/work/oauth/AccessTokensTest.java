package dev.bridle.core.work.oauth;

import static dev.bridle.core.Refusal.assertRefused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.Ed25519Signer;
import com.nimbusds.jose.crypto.Ed25519Verifier;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.bridle.admin.v1.CreateOAuthClientRequest;
import dev.bridle.admin.v1.CreateOAuthClientResponse;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.ListOAuthClientsRequest;
import dev.bridle.admin.v1.ListSigningKeysRequest;
import dev.bridle.admin.v1.RevokeOAuthClientRequest;
import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.auth.v1.Caller;
import dev.bridle.oauth.v1.GetAuthorizationServerMetadataRequest;
import dev.bridle.oauth.v1.GetKeySetRequest;
import dev.bridle.oauth.v1.IssueTokenRequest;
import dev.bridle.oauth.v1.IssueTokenResponse;
import dev.bridle.oauth.v1.JsonWebKey;
import dev.bridle.session.v1.ListSessionsRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class AccessTokensTest {
  @TempDir private Path directory;
  private OAuthWorld world;
  private CreateOAuthClientResponse client;

  @BeforeEach
  void start() {
    world = new OAuthWorld(directory);
    client = world.client("sessions:read", "tasks:write");
  }

  @AfterEach
  void stop() {
    assertThat(world.findings()).isEmpty();
    world.close();
  }

  @Test
  void aTokenWithHalfOfASurrogatePairIsUnknown() {
    String[] good = world.issue(client, "").getAccessToken().split("\\.", 3);
    String header = "{\"alg\":\"EdDSA\",\"typ\":\"at+jwt\",\"kid\":\"\\ud800\"}";
    List<String> forged = new ArrayList<>();
    forged.add(encoded(header) + "." + good[1] + "." + good[2]);
    for (String member : List.of("tenant", "client_id", "sub")) {
      String claims =
          new String(Base64.getUrlDecoder().decode(good[1]), StandardCharsets.UTF_8)
              .replaceAll("\"" + member + "\":\"[^\"]*\"", "\"" + member + "\":\"\\\\ud800\"");
      assertThat(claims).contains("\\ud800");
      forged.add(good[0] + "." + encoded(claims) + "." + good[2]);
    }

    for (String token : forged) {
      assertRefused(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "", () -> world.caller(token));
    }
  }

  private static String encoded(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aTokenActsAsItsClientOverGrpc() {
    IssueTokenResponse issued = world.issue(client, "");

    assertThat(issued.getTokenType()).isEqualTo("Bearer");
    assertThat(issued.getExpiresIn()).isEqualTo(3600);
    assertThat(issued.getScope()).isEqualTo("sessions:read tasks:write");
    assertThat(world.caller(issued.getAccessToken()))
        .isEqualTo(
            Caller.newBuilder()
                .setTenantId("default")
                .setActor("ci")
                .addScopes("sessions:read")
                .addScopes("tasks:write")
                .build());
    assertThat(
            SessionServiceGrpc.newBlockingStub(world.as(issued.getAccessToken()))
                .listSessions(ListSessionsRequest.getDefaultInstance())
                .getDataList())
        .isEmpty();
  }

  @Test
  void aTokenHasNoMoreScopesThanWereAskedForAndNoneThatTheClientLacks() {
    assertThat(world.caller(world.issue(client, "tasks:write").getAccessToken()).getScopesList())
        .containsExactly("tasks:write");
    refused(Status.Code.INVALID_ARGUMENT, () -> world.issue(client, "tasks:write events:read"));
    refused(Status.Code.INVALID_ARGUMENT, () -> world.issue(client, "*"));

    CreateOAuthClientResponse all = world.client();
    assertThat(world.issue(all, "").getScope()).isEqualTo("*");
    assertThat(world.issue(all, "events:read").getScope()).isEqualTo("events:read");
    refused(Status.Code.INVALID_ARGUMENT, () -> world.issue(all, "admin:write"));
  }

  @Test
  void aTokenVerifiesWithThePublishedKeyAndNamesItsIssuer() throws Exception {
    SignedJWT token = SignedJWT.parse(world.token(client));
    JsonWebKey key =
        world.open().getKeySet(GetKeySetRequest.getDefaultInstance()).getKeysList().get(0);

    assertThat(key.getKid()).isEqualTo(token.getHeader().getKeyID());
    assertThat(token.getHeader().getAlgorithm()).isEqualTo(JWSAlgorithm.EdDSA);
    OctetKeyPair published =
        new OctetKeyPair.Builder(Curve.parse(key.getCrv()), new Base64URL(key.getX())).build();
    assertThat(published.computeThumbprint()).hasToString(key.getKid());
    assertThat(token.verify(new Ed25519Verifier(published))).isTrue();
    var metadata =
        world
            .open()
            .getAuthorizationServerMetadata(
                GetAuthorizationServerMetadataRequest.getDefaultInstance());
    assertThat(token.getJWTClaimsSet().getIssuer())
        .isEqualTo(metadata.getIssuer())
        .isEqualTo(OAuthWorld.URL);
    assertThat(metadata.getTokenEndpoint()).isEqualTo(OAuthWorld.URL + "/oauth/token");
    assertThat(metadata.getJwksUri()).isEqualTo(OAuthWorld.URL + "/oauth/jwks.json");
    assertThat(metadata.getScopesSupportedList())
        .contains("tasks:write")
        .noneMatch(s -> s.startsWith("admin"));
  }

  @Test
  void wrongCredentialsAreRefusedAlikeWhateverIsWrong() {
    String id = client.getClient().getId();
    CreateOAuthClientResponse other = world.client("tasks:write");
    String apiKey = world.core.firstKey().orElseThrow();
    List<IssueTokenRequest> wrong =
        List.of(
            OAuthWorld.request(id, "brs_wrong", ""),
            OAuthWorld.request("client_none", client.getSecret(), ""),
            OAuthWorld.request(id, other.getSecret(), ""),
            OAuthWorld.request(id, apiKey, ""),
            OAuthWorld.request(id, "", ""),
            OAuthWorld.request("", "", ""));
    List<String> told =
        wrong.stream()
            .map(
                request ->
                    refused(Status.Code.UNAUTHENTICATED, () -> world.open().issueToken(request)))
            .toList();
    assertThat(told).allMatch(told.get(0)::equals);
    refused(Status.Code.UNAUTHENTICATED, () -> world.caller(client.getSecret()));
  }

  @Test
  void aRevokedClientsTokensAreRefusedAtOnceAndItGetsNoMore() {
    String token = world.token(client);
    var revoked = revoke(client);

    assertThat(revoked.hasRevokedAt()).isTrue();
    refused(Status.Code.UNAUTHENTICATED, () -> world.caller(token));
    refused(Status.Code.UNAUTHENTICATED, () -> world.token(client));
    assertThat(
            world
                .admin()
                .listOAuthClients(ListOAuthClientsRequest.getDefaultInstance())
                .getClientsList())
        .containsExactly(revoked);
    assertThat(revoke(client)).isEqualTo(revoked);
  }

  @Test
  void aTokenEndsWithItsTimeButForALittleDifferenceOfClocks() {
    String token = world.token(client);

    world.clock.pass(Duration.ofHours(1).plusSeconds(29));
    assertThat(world.caller(token).getActor()).isEqualTo("ci");
    world.clock.pass(Duration.ofSeconds(1));
    refused(Status.Code.UNAUTHENTICATED, () -> world.caller(token));
  }

  @Test
  void aTokenOfTheFutureIsRefusedUntilItsTime() {
    world.clock.pass(Duration.ofSeconds(31));
    String token = world.token(client);
    world.clock.pass(Duration.ofSeconds(-31));
    refused(Status.Code.UNAUTHENTICATED, () -> world.caller(token));
    world.clock.pass(Duration.ofSeconds(1));
    assertThat(world.caller(token).getActor()).isEqualTo("ci");
  }

  @Test
  void afterARotationOldTokensAreGoodUntilTheyExpire() throws Exception {
    String old = world.token(client);
    var key = world.admin().rotateSigningKey(RotateSigningKeyRequest.getDefaultInstance()).getKey();
    String fresh = world.token(client);

    assertThat(SignedJWT.parse(fresh).getHeader().getKeyID())
        .isEqualTo(key.getId())
        .isNotEqualTo(SignedJWT.parse(old).getHeader().getKeyID());
    assertThat(world.caller(old)).isEqualTo(world.caller(fresh));
    assertThat(keys()).hasSize(2);

    world.clock.pass(Duration.ofHours(24).plusMinutes(1));
    assertThat(keys()).containsExactly(key.getId());
    world.admin().rotateSigningKey(RotateSigningKeyRequest.getDefaultInstance());
    assertThat(keys()).hasSize(2).contains(key.getId());
  }

  @Test
  void keysThatMayBeStolenEndAtOnce() {
    String old = world.token(client);
    world
        .admin()
        .rotateSigningKey(RotateSigningKeyRequest.newBuilder().setEndOldKeys(true).build());

    refused(Status.Code.UNAUTHENTICATED, () -> world.caller(old));
    assertThat(keys()).hasSize(1);
    assertThat(world.caller(world.token(client)).getActor()).isEqualTo("ci");
  }

  @Test
  void aTokenOfAnotherIssuerOrForAnotherAudienceIsRefused() {
    String token = world.token(client);
    world.core.reachedAt("https://other.example");
    refused(Status.Code.UNAUTHENTICATED, () -> world.caller(token));
    world.core.reachedAt(OAuthWorld.URL + "/");
    assertThat(world.caller(token).getActor()).isEqualTo("ci");
  }

  @Test
  void noForgedTokenIsLetIn() throws Exception {
    SignedJWT real = SignedJWT.parse(world.token(client));
    JWSHeader header = real.getHeader();
    JWTClaimsSet claims = real.getJWTClaimsSet();
    OctetKeyPair stranger = new OctetKeyPairGenerator(Curve.Ed25519).keyID("x").generate();
    JsonWebKey published =
        world.open().getKeySet(GetKeySetRequest.getDefaultInstance()).getKeysList().get(0);

    SignedJWT otherKey = new SignedJWT(header, claims);
    otherKey.sign(new Ed25519Signer(stranger));
    SignedJWT ownKid =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.EdDSA)
                .type(header.getType())
                .keyID("x")
                .jwk(stranger.toPublicJWK())
                .build(),
            claims);
    ownKid.sign(new Ed25519Signer(stranger));
    SignedJWT mac =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256)
                .type(new JOSEObjectType("at+jwt"))
                .keyID(header.getKeyID())
                .build(),
            claims);
    mac.sign(new MACSigner(new Base64URL(published.getX()).decode()));
    String[] parts = real.serialize().split("\\.", -1);
    String wider =
        Base64URL.encode(claims.toString().replace("tasks:write", "events:read")).toString();
    for (String forged :
        List.of(
            otherKey.serialize(),
            ownKid.serialize(),
            mac.serialize(),
            new PlainJWT(claims).serialize(),
            parts[0] + "." + wider + "." + parts[2],
            parts[0] + "." + parts[1] + ".",
            parts[0] + "." + parts[1] + "." + parts[2].substring(2),
            parts[0] + ".." + parts[2],
            "ey..",
            "eyJ.e.e")) {
      refused(Status.Code.UNAUTHENTICATED, () -> world.caller(forged));
    }
    assertThat(world.caller(real.serialize()).getActor()).isEqualTo("ci");
  }

  @Test
  void tokensEndWithTheirTenantAlsoWhereItIsMadeAgain() {

    var keys = dev.bridle.admin.v1.AdminServiceGrpc.newBlockingStub(world.operator());
    var newTenant =
        dev.bridle.admin.v1.CreateApiKeyRequest.newBuilder().setTenantId("acme").build();
    var unused = keys.createApiKey(newTenant);
    CreateOAuthClientResponse ofAcme =
        world
            .admin()
            .createOAuthClient(CreateOAuthClientRequest.newBuilder().setTenantId("acme").build());
    String token = world.token(ofAcme);
    assertThat(world.caller(token).getTenantId()).isEqualTo("acme");

    var gone =
        TenantServiceGrpc.newBlockingStub(world.operator())
            .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId("acme").build());
    refused(Status.Code.UNAUTHENTICATED, () -> world.caller(token));
    refused(Status.Code.UNAUTHENTICATED, () -> world.token(ofAcme));
    unused = keys.createApiKey(newTenant);
    refused(Status.Code.UNAUTHENTICATED, () -> world.caller(token));
    assertThat(gone).isNotNull();
  }

  @Test
  void aClientThatAsksForTokensWithoutEndIsSlowedDownAloneAndFailuresAreBounded() {
    CreateOAuthClientResponse other = world.client("tasks:write");
    Status.Code last = Status.Code.OK;
    for (int i = 0; i < 200 && last == Status.Code.OK; i++) {
      last = attempt(() -> world.token(client));
    }
    assertThat(last).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(world.token(other)).isNotEmpty();

    for (int i = 0; i < 400 && last != Status.Code.UNAUTHENTICATED; i++) {
      last = attempt(() -> world.open().issueToken(OAuthWorld.request("client_none", "brs_x", "")));
    }
    for (int i = 0; i < 2000 && last != Status.Code.RESOURCE_EXHAUSTED; i++) {
      last = attempt(() -> world.open().issueToken(OAuthWorld.request("client_none", "brs_x", "")));
    }
    assertThat(last).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(world.token(other)).as("while others fail").isNotEmpty();
  }

  @Test
  void nothingThatIsStoredOrLoggedHoldsASecret() {
    Logger ours = (Logger) LoggerFactory.getLogger("dev.bridle");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Level before = ours.getLevel();
    log.start();
    ours.addAppender(log);
    ours.setLevel(Level.TRACE);
    List<String> secrets = new ArrayList<>(List.of(client.getSecret(), "brs_planted"));
    try {
      String token = world.token(client);
      secrets.add(token);
      assertThat(world.caller(token).getActor()).isEqualTo("ci");
      refused(
          Status.Code.UNAUTHENTICATED,
          () -> world.open().issueToken(OAuthWorld.request("brs_planted", "brs_planted", "")));
      refused(Status.Code.UNAUTHENTICATED, () -> world.caller(token + "brs_planted"));
    } finally {
      ours.detachAppender(log);
      ours.setLevel(before);
    }
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .noneMatch(line -> secrets.stream().anyMatch(line::contains));
    Rows rows = new Rows(KeyLayout.root());
    List<String> stored =
        world.store.read(tr -> tr.getRange(rows.all(), 10_000)).stream()
            .map(row -> new String(row.key(), ISO_8859_1) + new String(row.value(), ISO_8859_1))
            .toList();
    assertThat(stored)
        .hasSizeGreaterThan(10)
        .noneMatch(row -> secrets.stream().anyMatch(row::contains));
  }

  private List<String> keys() {
    return world
        .admin()
        .listSigningKeys(ListSigningKeysRequest.getDefaultInstance())
        .getKeysList()
        .stream()
        .filter(key -> key.getPurpose().equals("token"))
        .map(dev.bridle.admin.v1.SigningKey::getId)
        .toList();
  }

  private dev.bridle.admin.v1.OAuthClient revoke(CreateOAuthClientResponse which) {
    return world
        .admin()
        .revokeOAuthClient(
            RevokeOAuthClientRequest.newBuilder().setClientId(which.getClient().getId()).build())
        .getClient();
  }

  private static Status.Code attempt(Runnable call) {
    try {
      call.run();
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private static String refused(Status.Code code, Runnable call) {
    String[] told = new String[1];
    Consumer<Throwable> refusal =
        failure -> {
          assertThat(((StatusRuntimeException) failure).getStatus().getCode()).isEqualTo(code);
          told[0] = failure.getMessage();
        };
    assertThatThrownBy(call::run).isInstanceOf(StatusRuntimeException.class).satisfies(refusal);
    return told[0];
  }
}
