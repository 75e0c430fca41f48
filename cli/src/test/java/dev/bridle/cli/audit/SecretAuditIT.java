package dev.bridle.cli.audit;

import static dev.bridle.cli.process.Commands.run;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.fixtures.audit.Markers;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Call;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.client.SocketStream;
import dev.bridle.fixtures.client.UpgradeRefusedException;
import dev.bridle.fixtures.fuzz.FuzzRun;
import dev.bridle.fixtures.suite.ServerUnderTest;
import dev.bridle.fixtures.suite.SignedDeliveries;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.KeyLayout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets enter in every way that there is; then they are looked for in every stored row, log line,
 * answer, export and backup: as they are, in hexadecimal, and in base64. Vaults have a test of
 * their own.
 */
final class SecretAuditIT {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String GRANT = "grant_type=client_credentials";
  private static final String CONTROL = "CONTROL-what-is-no-secret";
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int REQUESTS = 600;
  private static final int FRAMES = 200;

  @TempDir private Path directory;
  private final Markers markers = new Markers();

  /** What is shown where it was said, and told nowhere else. */
  private final Markers untold = new Markers();

  private final List<String> said = new ArrayList<>();
  private ProtocolClient owner;

  @Test
  void noSecretIsStoredLoggedOrTold() throws IOException {
    try (LogLines log = new LogLines()) {
      try (LocalServer server = LocalServer.start(options())) {
        String key = markers.plant("the first key", server.firstKey().orElseThrow());
        owner = new ProtocolClient(server.baseUrl(), key);
        plantFiles();
        useKeys();
        useTokens();
        useSockets(key);
        forgetAMemory();
        deliver();
        tellOutside();
        String control = "{\"workspace_id\":\"default\",\"metadata\":{\"a\":\"" + CONTROL + "\"}}";
        assertThat(tell(owner.send(owner.call("POST", "/v1/sessions").withBody(control))).status())
            .isEqualTo(201);
        fuzz(server, key);
        operate();
      }
      assertThat(markers.count()).isGreaterThan(12);
      searchStorage();
      assertThat(log.all()).isNotEmpty();
      assertThat(log.all()).allSatisfy(line -> clean("the log", line));
      assertThat(log.all()).allSatisfy(line -> reticent("the log", line));
    }
    assertThat(said).hasSizeGreaterThan(30).allSatisfy(one -> clean("an answer", one));
  }

  private void searchStorage() {
    try (EmbeddedStore store = EmbeddedStore.open(data(), EmbeddedOptions.DEFAULT)) {
      byte[] rows = StoredBytes.of(store);
      assertThat(new String(rows, ISO_8859_1)).as("what is no secret").contains(CONTROL);
      assertThat(markers.leaks("the storage", rows)).isEmpty();
      assertThat(
              new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG)
                  .check(CheckProgress.SILENT)
                  .findings())
          .isEmpty();
    }
  }

  private void plantFiles() throws IOException {
    JsonNode keyset = Json.parse(Files.readString(data().resolve("master.key")));
    String value = keyset.findPath("value").textValue();
    markers.plant("the master key's file", value);
    byte[] proto = Base64.getDecoder().decode(value);
    markers.plant("the master key", Arrays.copyOfRange(proto, proto.length - 32, proto.length));
    markers.plant("the operator's key", Files.readString(data().resolve("operator.key")).strip());
  }

  /** Good, revoked and unknown keys, in requests that fail in every place where one can. */
  private void useKeys() {
    JsonNode made = json("apikey", "create", "--scope", "sessions:read");
    String narrow = markers.plant("a narrow key", made.get("secret").textValue());
    JsonNode ended = json("apikey", "create");
    String revoked = markers.plant("a revoked key", ended.get("secret").textValue());
    said.add(json("apikey", "revoke", ended.get("id").textValue()).toString());
    said.add(json("apikey", "list").toString());
    String unknown = markers.plant("an unknown key", "brk_unknownKeyThatNobodyWasGiven0");
    for (String key : List.of(narrow, revoked, unknown, unknown.repeat(200))) {
      ProtocolClient client = new ProtocolClient(owner.base(), key);
      tell(client.get("/v1/sessions"));
      tell(client.get("/v1/no/such/path"));
      tell(client.post("/v1/sessions", Json.array()));
      tell(client.send(client.call("POST", "/v1/sessions").withBody("{\"a\":").withKey("k")));
      tell(client.send(client.call("GET", "/v1/sessions").without(ProtocolClient.VERSION_HEADER)));
      tell(client.send(client.call("PUT", "/v1/sessions")));
      tell(client.send(client.call("GET", "/v1/sessions").with("Authorization", "Basic " + key)));
      tell(client.send(client.call("GET", "/v1/sessions").with("Authorization", key)));
      tell(client.send(client.call("GET", "/v1/events/stream").with("Last-Event-ID", "x")));
    }
  }

  private void useTokens() {
    JsonNode client = json("oauth", "client", "create", "--scope", "sessions:read");
    String id = client.get("id").textValue();
    String secret = markers.plant("a client's secret", client.get("secret").textValue());
    String wrong = markers.plant("a wrong client secret", "brs_aWrongSecretThatNobodyHas00000");
    String form = GRANT + "&client_id=" + id + "&client_secret=";
    Answer issued = token(form + secret);
    String token = markers.plant("an access token", issued.json().get("access_token").textValue());
    markers.plant("its signature", token.substring(token.lastIndexOf('.') + 1));
    tell(token(form + wrong));
    tell(token(form + secret + "&scope=tasks:write"));
    tell(token(form + secret + "&client_secret=" + wrong));
    tell(owner.send(basic(id, wrong)));
    tell(owner.send(basic(id, secret).withBody("{".getBytes(UTF_8), "application/json")));
    ProtocolClient holder = new ProtocolClient(owner.base(), token);
    assertThat(tell(holder.get("/v1/sessions")).status()).isEqualTo(200);
    tell(holder.post("/v1/sessions", Json.object().put("workspace_id", "default")));
    tell(new ProtocolClient(owner.base(), token + "x").get("/v1/sessions"));
    said.add(json("oauth", "client", "revoke", id).toString());
    said.add(json("oauth", "client", "list").toString());
    assertThat(tell(holder.get("/v1/sessions")).status()).isEqualTo(401);
  }

  private Answer token(String form) {
    return owner.send(
        owner
            .call("POST", "/oauth/token")
            .without("Authorization")
            .withBody(form.getBytes(UTF_8), FORM));
  }

  private Call basic(String id, String secret) {
    String pair = Base64.getEncoder().encodeToString((id + ":" + secret).getBytes(UTF_8));
    return owner
        .call("POST", "/oauth/token")
        .with("Authorization", "Basic " + pair)
        .withBody(GRANT.getBytes(UTF_8), FORM);
  }

  /** Keys come as headers, and as the subprotocols that browsers have to use. */
  private void useSockets(String key) {
    String unknown = markers.plant("an unknown subprotocol token", "brk_subprotocolOfNobody000");
    Call call = owner.socketCall("/v1/events/stream");
    try (SocketStream socket = owner.socket(call)) {
      JsonNode pong = socket.ask(Json.object().put("type", "ping").put("id", "p"), PATIENCE);
      said.add(pong.toString());
    }
    Call bare = call.without("Authorization").without(ProtocolClient.VERSION_HEADER);
    try (SocketStream socket =
        owner.socket(bare, List.of(ProtocolClient.VERSION, "bearer." + key))) {
      socket.sendText("{\"type\":\"session.message\",\"id\":\"x\"}");
      said.add(socket.until(f -> f.path("id").asText().equals("x"), PATIENCE).toString());
    }
    assertThatThrownBy(
            () -> owner.socket(bare, List.of(ProtocolClient.VERSION, "bearer." + unknown)))
        .isInstanceOfSatisfying(
            UpgradeRefusedException.class, refused -> assertThat(refused.status()).isEqualTo(401));
  }

  /** What was remembered and then deleted is gone from records, and never was in the log. */
  private void forgetAMemory() {
    String content = markers.plant("a deleted memory", "the-red-fish-sleeps-on-friday");
    ObjectNode memory = Json.object().put("scope", "workspace").put("owner_id", "default");
    memory.put("content", content).set("provenance", Json.object().put("actor", "audit"));
    Answer made = owner.post("/v1/memories", memory);
    assertThat(made.status()).isEqualTo(201);
    tell(
        owner.send(
            owner.call("POST", "/v1/memories").withBody(memory.put("scope", "fish")).withKey("m")));
    String path = "/v1/memories/" + made.json().get("id").textValue();
    assertThat(tell(owner.send(owner.call("DELETE", path))).status()).isEqualTo(204);
    tell(owner.get(path));
    tell(owner.get("/v1/events?limit=200"));
  }

  /** A connector's secret, used and guessed at, and what callers put beside their deliveries. */
  private void deliver() {
    String secret = markers.plant("a connector's secret", "between-the-provider-and-us-0815");
    String header = markers.plant("a delivery's credentials", "given-by-mistake-to-an-ingress");
    String cookie = markers.plant("a delivery's cookie", "session-cookie-of-an-ingress");
    ObjectNode connector = Json.object().put("workspace_id", "default").put("provider", "audit");
    connector.withObject("/webhook/signature").put("preset", "github").set("secret", kept(secret));
    connector.withObject("/mapping").put("text", "Count {/title} of {header:X-Known}");
    JsonNode made = made("/v1/connectors", connector);
    SignedDeliveries signed = new SignedDeliveries(made.at("/webhook/path").textValue(), secret);
    Call delivery =
        signed
            .github("1", "{\"title\":\"fish\"}")
            .with("Authorization", "Bearer " + header)
            .with("Cookie", "id=" + cookie);
    assertThat(tell(owner.send(delivery)).status()).isEqualTo(202);
    assertThat(tell(owner.send(delivery.with("X-Known", "x"))).status()).isEqualTo(202);
    tell(owner.send(delivery.with("X-Hub-Signature-256", "sha256=" + secret)));
    tell(owner.send(delivery.withBody("{\"title\":")));
    String deliveries = "/v1/connectors/" + made.get("id").textValue() + "/deliveries";
    await()
        .atMost(PATIENCE)
        .until(() -> owner.get(deliveries).text(), text -> text.contains("\"FAILED\""));
    tell(owner.get(deliveries));
    tell(owner.get("/v1/events?limit=200"));
  }

  /** Keeps a secret in a vault, and returns its name. */
  private ObjectNode kept(String secret) {
    ObjectNode body = Json.object().put("workspace_id", "default").put("provider", "bridle");
    body.putArray("capabilities").add("write").add("connect");
    String vault = made("/v1/vaults", body).get("id").textValue();
    String path = "/v1/vaults/" + vault + "/secrets/hook";
    Call put = owner.call("PUT", path).withBody(Json.object().put("value", secret));
    assertThat(tell(owner.send(put)).status()).isEqualTo(200);
    return Json.object().put("vault_id", vault).put("name", "hook");
  }

  /** What webhooks are signed with, and URLs that are secrets: whoever is called repeats both. */
  private void tellOutside() throws IOException {
    String secret = markers.plant("a webhook's secret", "between-us-and-who-is-told-4711");
    String token = untold.plant("the token of a webhook's URL", "T024BE7LD-token-of-a-url");
    HttpServer parrot =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    parrot.createContext("/", exchange -> repeat(exchange, secret));
    parrot.start();
    try {
      ObjectNode webhook = Json.object().put("workspace_id", "default").put("retry_seconds", 1);
      webhook.put("url", "http://127.0.0.1:" + parrot.getAddress().getPort() + "/in/" + token);
      webhook.putArray("event_kinds").add("no.such.kind");
      webhook.set("secret", kept(secret));
      String path = "/v1/webhooks/" + made("/v1/webhooks", webhook).get("id").textValue();
      assertThat(tell(owner.post(path + "/test", Json.object())).status()).isEqualTo(200);
      await()
          .atMost(PATIENCE)
          .until(() -> owner.get(path + "/deliveries").text(), text -> text.contains("\"FAILED\""));
      Answer deliveries = tell(owner.get(path + "/deliveries"));
      assertThat(deliveries.text()).as("what was answered").contains("I know");
      reticent("the delivery log", deliveries.text());
      Answer events = tell(owner.get("/v1/events?limit=200"));
      assertThat(events.text()).contains("vendor.bridle.webhook_paused");
      reticent("events", events.text());
      ObjectNode refused = Json.object().put("url", "https://10.0.0.1/" + token);
      refused.put("workspace_id", "default");
      Answer refusal = tell(owner.post("/v1/webhooks", refused));
      assertThat(refusal.status()).isEqualTo(400);
      reticent("a refusal", refusal.text());
      askOutside("http://127.0.0.1:" + parrot.getAddress().getPort() + "/list");
    } finally {
      parrot.stop(0);
    }
  }

  /** What polls prove themselves by, to somebody who refuses it and repeats it. */
  private void askOutside(String url) {
    String secret =
        markers.plant("what a poll proves itself by", "between-us-and-who-is-asked-1234");
    ObjectNode connector = Json.object().put("workspace_id", "default").put("provider", "audit");
    connector.withObject("/polling").put("url", url).put("interval_seconds", 3600);
    connector.withObject("/auth").set("secret", kept(secret));
    connector.withObject("/mapping").put("text", "Count {/title}");
    String path = "/v1/connectors/" + made("/v1/connectors", connector).get("id").textValue();
    await()
        .atMost(PATIENCE)
        .until(
            () -> owner.get(path).json().at("/polls/last_error/code").asText(), "refused"::equals);
    assertThat(tell(owner.get(path)).text()).contains("401");
    assertThat(tell(owner.get("/v1/events?limit=200")).text()).contains("connector.failed");
  }

  private static void repeat(HttpExchange exchange, String secret) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String proof = exchange.getRequestHeaders().getFirst("Authorization");
      byte[] answer =
          ("I know " + exchange.getRequestURI() + " and " + secret + " and " + proof)
              .getBytes(UTF_8);
      exchange.sendResponseHeaders(401, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private void reticent(String where, String text) {
    assertThat(untold.leaks(where, text)).isEmpty();
  }

  private JsonNode made(String path, ObjectNode body) {
    Answer made = tell(owner.post(path, body));
    assertThat(made.status()).isEqualTo(201);
    return made.json();
  }

  /** Every operation and frame; the run itself looks at all that is answered. */
  private void fuzz(LocalServer server, String key) {
    Random random = new Random(11);
    try (FuzzRun run = FuzzRun.on(ServerUnderTest.at(server.baseUrl(), key), markers)) {
      for (int i = 0; i < REQUESTS; i++) {
        run.send(run.request(random));
      }
      for (int i = 0; i < FRAMES; i++) {
        run.send(run.frame(random));
      }
      said.add(run.finish());
    }
  }

  /** What operators take out of a server. */
  private void operate() throws IOException {
    said.add(json("oauth", "key", "rotate").toString());
    Path export = directory.resolve("export");
    run(
        0,
        "export",
        "--data-dir",
        data().toString(),
        "--tenant",
        "default",
        "--output",
        export.toString());
    Path backup = directory.resolve("backup");
    run(0, "backup", "--data-dir", data().toString(), "--output", backup.toString());
    assertThat(markers.leaks("the export", StoredBytes.read(export))).isEmpty();
    assertThat(untold.leaks("the export", StoredBytes.read(export))).isEmpty();
    assertThat(StoredBytes.files(backup))
        .isNotEmpty()
        .allSatisfy(
            file -> assertThat(markers.leaks(file.toString(), StoredBytes.read(file))).isEmpty());
  }

  private JsonNode json(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "--data-dir", data().toString()));
    return Json.parse(run(0, all.toArray(String[]::new)).out().lines().findFirst().orElseThrow());
  }

  private Answer tell(Answer answer) {
    said.add(answer.headers().map() + answer.text());
    return answer;
  }

  private void clean(String where, String text) {
    assertThat(markers.leaks(where, text)).isEmpty();
  }

  /** A server that may call this machine. */
  private LocalServerOptions options() {
    LocalServerOptions options = LocalServerOptions.of(data());
    return options.withCore(
        options
            .core()
            .withOutbound(
                OutboundOptions.DEFAULT.withAllowed(List.of(AddressRange.parse("127.0.0.1")))));
  }

  private Path data() {
    return directory.resolve("data");
  }
}
