package dev.bridle.cli.up.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.Ed25519Signer;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.bridle.admin.v1.AdminServiceGrpc.AdminServiceBlockingStub;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.core.work.oauth.external.IssuerFile;
import dev.bridle.fixtures.client.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/**
 * A real server with one of everything in a workspace of one tenant, and credentials of everybody
 * who may meet it.
 */
final class AccessWorld implements AutoCloseable {
  private static final String ISSUER = "https://id.example";

  private final LocalServer server;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Path data;
  private final OctetKeyPair issuerKey;
  private final String owner;
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, String> keys = new HashMap<>();
  private Optional<String> lastWebhook = Optional.empty();
  final String otherTenant;
  final String otherWorkspace;
  final String wrongScope;
  final String revoked;

  AccessWorld(Path directory) throws IOException, JOSEException {
    issuerKey = new OctetKeyPairGenerator(Curve.Ed25519).keyID("k").generate();
    Path keySet = directory.resolve("keys.json");
    Files.writeString(keySet, "{\"keys\":[" + issuerKey.toPublicJWK().toJSONString() + "]}");
    String issuers =
        "{\"issuers\":[{\"issuer\":\""
            + ISSUER
            + "\",\"audience\":\"bridle\",\"jwks_file\":\"keys.json\",\"tenant\":\"default\"}]}";
    LocalServerOptions options = LocalServerOptions.of(directory.resolve("data"));
    server =
        LocalServer.start(
            options.withCore(
                options
                    .core()
                    .withAccess(
                        options
                            .core()
                            .access()
                            .withIssuers(IssuerFile.parse(issuers, directory)))));
    data = directory.resolve("data");
    owner = server.firstKey().orElseThrow();
    JsonNode elsewhere = json(send(owner, "POST", "/v1/workspaces", workspace("elsewhere")));
    otherTenant = key(CreateApiKeyRequest.newBuilder().setTenantId("other"));
    otherWorkspace =
        key(CreateApiKeyRequest.newBuilder().addWorkspaceIds(elsewhere.get("id").textValue()));
    wrongScope = key(CreateApiKeyRequest.newBuilder().addScopes("nothing:here"));
    var toRevoke = admin().createApiKey(CreateApiKeyRequest.getDefaultInstance());
    revoked = toRevoke.getSecret();
    var unused =
        admin()
            .revokeApiKey(
                RevokeApiKeyRequest.newBuilder().setKeyId(toRevoke.getKey().getId()).build());
    ids.put(
        "workspace_id",
        json(send(owner, "POST", "/v1/workspaces", workspace("ours"))).get("id").textValue());
    makers.forEach(maker -> maker.make().accept(ids));
  }

  /**
   * Everything, of which what has these names is made anew, so that what a call does to it disturbs
   * no other call.
   */
  Map<String, String> fresh(Set<String> names) {
    Map<String, String> made = new HashMap<>(ids);
    for (Maker maker : makers) {
      if (maker.makes().stream().anyMatch(names::contains)) {
        maker.make().accept(made);
      }
    }
    return made;
  }

  /** The things that nobody else may see, by the name that paths and bodies have for their ids. */
  Map<String, String> ids() {
    return Map.copyOf(ids);
  }

  /** Makes what goes together, and adds the ids by their names. */
  private record Maker(Set<String> makes, Consumer<Map<String, String>> make) {}

  private final List<Maker> makers =
      List.of(
          new Maker(
              Set.of(
                  "session_id",
                  "message_id",
                  "task_id",
                  "redaction_id",
                  "outcome_id",
                  "artifact_id",
                  "event_id"),
              this::makeTask),
          new Maker(Set.of("vault_id", "secret_name"), this::makeVault),
          new Maker(Set.of("schedule_id"), this::makeSchedule),
          new Maker(Set.of("harp_repo_id"), this::makeHarpRepo),
          new Maker(Set.of("connector_id", "delivery_id"), this::makeConnector),
          new Maker(Set.of("webhook_id", "webhook_delivery_id"), this::makeWebhook),
          new Maker(Set.of("empty_artifact_id"), this::makeEmptyArtifact),
          new Maker(Set.of("party_id"), this::makeApprover));

  private void makeTask(Map<String, String> to) {
    String session = id("/v1/sessions", ours(to) + "}");
    to.put("session_id", session);
    to.put(
        "message_id",
        id(
            "/v1/sessions/" + session + "/messages",
            "{\"message\":{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"hello\","
                + "\"visibility\":\"public\"}]}}"));
    String task = id("/v1/sessions/" + session + "/tasks", "{\"input\":{\"text\":\"one two\"}}");
    to.put("task_id", task);
    awaitStatus("/v1/tasks/" + task, "COMPLETED");
    to.put(
        "redaction_id",
        id(
            "/v1/redactions",
            "{\"items\":[{\"object\":\"message\",\"id\":\"" + to.get("message_id") + "\"}]}"));
    to.put("outcome_id", first("/v1/outcomes?task_id=" + task));
    to.put("artifact_id", first("/v1/artifacts?task_id=" + task));
    to.put("event_id", first("/v1/tasks/" + task + "/events"));
  }

  private void makeVault(Map<String, String> to) {
    String vault =
        id(
            "/v1/vaults",
            ours(to) + ",\"provider\":\"bridle\",\"capabilities\":[\"read\",\"write\"]}");
    to.put("vault_id", vault);
    to.put("secret_name", "secret_0123456789abcdef");
    var unused =
        json(
            send(
                owner,
                "PUT",
                "/v1/vaults/" + vault + "/secrets/" + to.get("secret_name"),
                "{\"value\":\"one\"}"));
  }

  private void makeSchedule(Map<String, String> to) {
    to.put(
        "schedule_id", id("/v1/schedules", ours(to) + ",\"cron\":\"0 9 * * *\",\"text\":\"one\"}"));
  }

  private void makeHarpRepo(Map<String, String> to) {
    to.put(
        "harp_repo_id",
        id("/v1/harp-repos", ours(to) + ",\"repo_ref\":\"repo:" + UUID.randomUUID() + "\"}"));
  }

  private void makeConnector(Map<String, String> to) {
    JsonNode connector =
        json(
            send(
                owner,
                "POST",
                "/v1/connectors",
                ours(to)
                    + ",\"provider\":\"one\",\"webhook\":{\"signature\":{\"preset\":\"none\"}},"
                    + "\"polling\":{\"url\":\"https://bridle.invalid/\",\"cron\":\"0 0 1 1 *\"},"
                    + "\"mapping\":{\"text\":\"{/missing}\"}}"));
    to.put("connector_id", connector.get("id").textValue());
    String delivery =
        json(send("", "POST", connector.at("/webhook/path").textValue(), "{}"))
            .get("delivery_id")
            .textValue();
    to.put("delivery_id", delivery);
    awaitStatus("/v1/connectors/" + to.get("connector_id") + "/deliveries/" + delivery, "FAILED");
  }

  private void makeWebhook(Map<String, String> to) {
    boolean ofEverybody = !ids.containsKey("webhook_id");
    String webhook = id("/v1/webhooks", ours(to) + ",\"url\":\"https://bridle.invalid/hook\"}");
    to.put("webhook_id", webhook);
    to.put("webhook_delivery_id", id("/v1/webhooks/" + webhook + "/test", "{}"));
    // A tenant has but so many webhooks; that of everybody stays.
    lastWebhook.ifPresent(old -> send(owner, "DELETE", "/v1/webhooks/" + old, ""));
    lastWebhook = ofEverybody ? Optional.empty() : Optional.of(webhook);
  }

  private void makeEmptyArtifact(Map<String, String> to) {
    to.put(
        "empty_artifact_id",
        id(
            "/v1/artifacts",
            ours(to)
                + ",\"kind\":\"file\",\"mime_type\":\"text/plain\",\"visibility\":\"public\"}"));
  }

  private void makeApprover(Map<String, String> to) {
    to.put(
        "party_id",
        id("/v1/harp/approvers", "{\"approver_id\":\"party_" + UUID.randomUUID() + "\"}"));
  }

  private static String ours(Map<String, String> ids) {
    return "{\"workspace_id\":\"" + ids.get("workspace_id") + "\"";
  }

  private void awaitStatus(String path, String status) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> json(send(owner, "GET", path, "")).get("status").textValue().equals(status));
  }

  private static String workspace(String name) {
    return "{\"name\":\"" + name + "\",\"root\":\"workspace://" + name + "\"}";
  }

  private String id(String path, String body) {
    return json(send(owner, "POST", path, body)).get("id").textValue();
  }

  private String first(String path) {
    return json(send(owner, "GET", path, "")).get("data").get(0).get("id").textValue();
  }

  private static JsonNode json(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isBetween(200, 299);
    return Json.parse(answer.body());
  }

  /** Returns a key that has these scopes alone; all of them where there are none. */
  String keyFor(String scopes) {
    CreateApiKeyRequest.Builder request = CreateApiKeyRequest.newBuilder();
    return keys.computeIfAbsent(
        scopes,
        these -> key(these.isEmpty() ? request : request.addAllScopes(List.of(these.split(" ")))));
  }

  /** Made anew for each call: its deadline counts from when it is made. */
  private AdminServiceBlockingStub admin() {
    try {
      return AdminAccess.stub(server.channel(), data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String key(CreateApiKeyRequest.Builder request) {
    return admin().createApiKey(request.build()).getSecret();
  }

  /** Returns a token that ends at a time from now. */
  String token(String scope, Duration left) {
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience("bridle")
            .subject("alice")
            .claim("scope", scope)
            .expirationTime(Date.from(Instant.now().plus(left)))
            .build();
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.EdDSA).keyID("k").build(), claims);
    try {
      token.sign(new Ed25519Signer(issuerKey));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return token.serialize();
  }

  String expired() {
    return token("tasks:read", Duration.ofMinutes(-5));
  }

  int grpcPort() {
    return server.grpcPort();
  }

  /**
   * An answer.
   *
   * @param status the HTTP status
   * @param body the body; of an event stream, what comes up to the end of history
   */
  record Answer(int status, String body) {
    JsonNode error() {
      return Json.parse(body).path("error");
    }
  }

  /** Sends a request; no bearer where it is empty. */
  Answer send(String bearer, String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.baseUrl() + path))
            .timeout(Duration.ofSeconds(20))
            .header("Harn-Agents-Protocol-Version", "agents-protocol-2026-04-25")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header(
          "Content-Type",
          path.endsWith("/content") ? "application/octet-stream" : "application/json");
    }
    Optional.of(bearer)
        .filter(secret -> !secret.isEmpty())
        .ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    try {
      HttpResponse<InputStream> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream in = response.body()) {
        boolean stream =
            response.headers().firstValue("content-type").orElse("").startsWith("text/event");
        return new Answer(
            response.statusCode(),
            stream ? history(in) : new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new IllegalStateException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A comment tells where history ends. */
  private static String history(InputStream in) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    StringBuilder text = new StringBuilder();
    String line = lines.readLine();
    while (line != null && !line.startsWith(":")) {
      text.append(line).append('\n');
      line = lines.readLine();
    }
    return text.toString();
  }

  @Override
  public void close() {
    server.close();
  }
}
