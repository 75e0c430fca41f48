package dev.bridle.cli.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OAuth as a program meets it: real HTTP, and the commands of an operator beside the server. */
class OAuthIT {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String GRANT = "grant_type=client_credentials";
  private static final URI PUBLIC = URI.create("https://bridle.example/");

  @TempDir private Path directory;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private LocalServer server;
  private JsonNode client;

  @BeforeEach
  void start() throws IOException {
    server = started();
    client = run("oauth", "client", "create", "--scope", "sessions:read", "--scope", "tasks:write");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aClientGetsATokenByBasicOrByFormAndActsWithIt() throws Exception {
    HttpResponse<String> byBasic = token(GRANT, basic(id(), secret()));
    assertThat(byBasic.statusCode()).as(byBasic.body()).isEqualTo(200);
    assertThat(byBasic.headers().firstValue("cache-control")).contains("no-store");
    JsonNode issued = Json.parse(byBasic.body());
    assertThat(issued.get("token_type").textValue()).isEqualTo("Bearer");
    assertThat(issued.get("expires_in").intValue()).isEqualTo(3600);
    assertThat(issued.get("scope").textValue()).isEqualTo("sessions:read tasks:write");
    assertThat(sessions(issued.get("access_token").textValue()).statusCode()).isEqualTo(200);

    HttpResponse<String> byForm =
        token(GRANT + "&scope=tasks%3Awrite&client_id=" + id() + "&client_secret=" + secret());
    assertThat(byForm.statusCode()).as(byForm.body()).isEqualTo(200);
    String narrow = Json.parse(byForm.body()).get("access_token").textValue();
    assertThat(sessions(narrow).statusCode()).isEqualTo(403);
    assertThat(sessions(narrow + "x").statusCode()).isEqualTo(401);
  }

  @Test
  void whatIsWrongIsToldAsOAuthClientsExpectIt() throws Exception {
    error(401, "invalid_client", token(GRANT));
    HttpResponse<String> wrong = token(GRANT, basic(id(), "brs_wrong"));
    error(401, "invalid_client", wrong);
    assertThat(wrong.headers().firstValue("www-authenticate")).contains("Basic realm=\"Bridle\"");
    String mine = basic(id(), secret());
    error(400, "unsupported_grant_type", token("grant_type=password", mine));
    error(400, "unsupported_grant_type", token("", mine));
    error(400, "invalid_scope", token(GRANT + "&scope=events%3Aread", mine));
    error(400, "invalid_request", token(GRANT + "&" + GRANT, mine));
    error(400, "invalid_request", token(GRANT + "&client_secret=" + secret(), mine));
    error(400, "invalid_request", token(GRANT + "&client_id=client_other", mine));
    error(400, "invalid_request", token(GRANT + "&scope=%zz", mine));
    error(400, "invalid_request", token(GRANT, "Basic !!!"));
    error(400, "invalid_request", token(GRANT, "Bearer abc"));
    error(400, "invalid_request", token(GRANT + "&scope=" + "a".repeat(5000), mine));
    error(413, "invalid_request", token(GRANT + "&scope=" + "a".repeat(20_000), mine));
    error(
        400,
        "invalid_request",
        send(request("/oauth/token").header("Content-Type", "application/json").POST(body("{}"))));
    assertThat(send(request("/oauth/token").GET()).statusCode()).isEqualTo(405);
    error(
        401,
        "invalid_client",
        send(
            request("/oauth/token?client_id=" + id() + "&client_secret=" + secret())
                .header("Content-Type", FORM)
                .POST(body(GRANT))));
  }

  @Test
  void metadataAndKeysArePublishedWithoutCredentials() throws Exception {
    JsonNode metadata =
        Json.parse(send(request("/.well-known/oauth-authorization-server").GET()).body());
    assertThat(metadata.get("issuer").textValue()).isEqualTo("https://bridle.example");
    assertThat(metadata.get("token_endpoint").textValue())
        .isEqualTo("https://bridle.example/oauth/token");
    assertThat(metadata.get("response_types_supported")).isEmpty();
    String token = issued();
    JsonNode keys = Json.parse(send(request("/oauth/jwks.json").GET()).body()).get("keys");
    assertThat(keys).hasSize(1);
    JsonNode header =
        Json.parse(new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[0]), UTF_8));
    assertThat(header.get("kid")).isEqualTo(keys.get(0).get("kid"));
    assertThat(header.get("alg").textValue()).isEqualTo("EdDSA");
    assertThat(keys.get(0).has("d")).as("the private half").isFalse();
  }

  @Tag("slow")
  @Test
  void aTokenOutlivesARestartAndARotationAndEndsWithItsClient() throws Exception {
    String token = issued();
    JsonNode rotated = run("oauth", "key", "rotate");
    assertThat(sessions(token).statusCode()).isEqualTo(200);
    server.close();
    server = started();
    assertThat(sessions(token).statusCode()).isEqualTo(200);
    assertThat(lines("oauth", "key", "list"))
        .filteredOn(key -> key.get("purpose").textValue().equals("token"))
        .hasSize(2)
        .first()
        .satisfies(key -> assertThat(key.get("id")).isEqualTo(rotated.get("id")));

    assertThat(run("oauth", "client", "revoke", id()).get("revoked_at").isNull()).isFalse();
    assertThat(sessions(token).statusCode()).isEqualTo(401);
    error(401, "invalid_client", token(GRANT, basic(id(), secret())));
    assertThat(lines("oauth", "client", "list"))
        .singleElement()
        .satisfies(listed -> assertThat(listed.get("id").textValue()).isEqualTo(id()));
  }

  @Tag("slow")
  @Test
  void operatorsManageClientsAndKeysOfAStoppedServerToo() throws Exception {
    String before = issued();
    server.close();
    client =
        run(
            "oauth",
            "client",
            "create",
            "--actor",
            "ci",
            "--secret-file",
            directory.resolve("secret").toString());
    assertThat(client.has("secret")).isFalse();
    JsonNode key = run("oauth", "key", "rotate", "--end-old-keys");
    server = started();

    String secret = Files.readString(directory.resolve("secret")).strip();
    HttpResponse<String> issued = token(GRANT, basic(id(), secret));
    assertThat(issued.statusCode()).as(issued.body()).isEqualTo(200);
    assertThat(sessions(before).statusCode()).isEqualTo(401);
    assertThat(lines("oauth", "key", "list"))
        .filteredOn(listed -> listed.get("purpose").textValue().equals("token"))
        .containsExactly(key);
  }

  @Tag("slow")
  @Test
  void backupsHoldClientsAndSealedKeysButNoMasterKeyAndExportsHoldNone() throws Exception {
    String token = issued();
    List<String> tokenKeys =
        lines("oauth", "key", "list").stream()
            .filter(listed -> listed.get("purpose").textValue().equals("token"))
            .map(listed -> listed.get("id").textValue())
            .toList();
    assertThat(tokenKeys).isNotEmpty();
    Path export = directory.resolve("export");
    Commands.run(
        0,
        "export",
        "--data-dir",
        data().toString(),
        "--tenant",
        "default",
        "--output",
        export.toString());
    assertThat(new String(Files.readAllBytes(export), StandardCharsets.ISO_8859_1))
        .doesNotContain(id())
        .doesNotContain(tokenKeys.toArray(String[]::new));

    Commands.run(0, "backup", "--data-dir", data().toString(), "--output", backup().toString());
    String master =
        Json.parse(Files.readString(data().resolve("master.key"))).findPath("value").textValue();
    for (Path copied : files(backup())) {
      assertThat(new String(Files.readAllBytes(copied), StandardCharsets.ISO_8859_1))
          .as(copied.toString())
          .doesNotContain(master)
          .doesNotContain(secret());
    }
    Path restored = directory.resolve("restored");
    String said =
        Commands.run(0, "restore", "--from", backup().toString(), "--data-dir", restored.toString())
            .out();
    assertThat(said).contains(id());
    assertThatThrownBy(() -> LocalServer.start(LocalServerOptions.of(restored)))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining("master.key");
    Files.copy(data().resolve("master.key"), restored.resolve("master.key"));
    server.close();
    server = LocalServer.start(options(restored));
    assertThat(sessions(token).statusCode()).isEqualTo(200);
  }

  private static void error(int status, String code, HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    JsonNode error = Json.parse(answer.body());
    assertThat(error.get("error").textValue()).isEqualTo(code);
    assertThat(error.get("error_description").textValue()).isNotBlank();
    assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
  }

  private String issued() throws Exception {
    HttpResponse<String> answer = token(GRANT, basic(id(), secret()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.parse(answer.body()).get("access_token").textValue();
  }

  private HttpResponse<String> sessions(String bearer) throws Exception {
    return send(
        request("/v1/sessions")
            .header("Authorization", "Bearer " + bearer)
            .header("Harn-Agents-Protocol-Version", "agents-protocol-2026-04-25")
            .GET());
  }

  private HttpResponse<String> token(String form, String... authorization) throws Exception {
    HttpRequest.Builder request =
        request("/oauth/token").header("Content-Type", FORM).POST(body(form));
    Arrays.stream(authorization).forEach(value -> request.header("Authorization", value));
    return send(request);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.baseUrl() + path));
  }

  private static HttpRequest.BodyPublisher body(String text) {
    return HttpRequest.BodyPublishers.ofString(text);
  }

  private static String basic(String id, String secret) {
    String pair = URLEncoder.encode(id, UTF_8) + ":" + URLEncoder.encode(secret, UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
  }

  private String id() {
    return client.get("id").textValue();
  }

  private String secret() {
    return client.get("secret").textValue();
  }

  private JsonNode run(String... arguments) {
    return lines(arguments).get(0);
  }

  private List<JsonNode> lines(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "--data-dir", data().toString()));
    return Commands.run(0, all.toArray(String[]::new)).out().lines().map(Json::parse).toList();
  }

  private LocalServer started() throws IOException {
    return LocalServer.start(options(data()));
  }

  private static LocalServerOptions options(Path data) {
    LocalServerOptions options = LocalServerOptions.of(data);
    return options.withGateway(options.gateway().withListener(on -> on.withPublicUrl(PUBLIC)));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Path backup() {
    return directory.resolve("backup");
  }
}
