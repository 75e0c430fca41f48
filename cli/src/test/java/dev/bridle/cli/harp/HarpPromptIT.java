package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prompts over the gateway's sockets, mapped by the command line. */
final class HarpPromptIT {
  private static final String REPO = "repo:acme/widgets";

  /** The published vector, with its hash. */
  private static final String VECTOR =
      "{\"artifactType\":\"prompt.send\",\"createdAt\":\"2026-02-21T12:01:00Z\","
          + "\"promptHashAlg\":\"SHA-256\",\"repoRef\":\"repo:acme/widgets\","
          + "\"requestId\":\"01J2V9K3M2W1J5R6S7T8U9V0W1\","
          + "\"sessionId\":\"01J2V8V3M2YF0KX9Q0Z7E6H9R1\",\"target\":\"agentChat\","
          + "\"text\":\"Please summarize the plan and list risks. Keep it concise.\","
          + "\"promptHash\":"
          + "\"0b18f65f2e4d81b0bbfa89267138163a439ee2381393f95b41f01fbdfdbabd50\"}";

  @TempDir private Path directory;
  private LocalServer server;
  private ProtocolClient harp;
  private ProtocolClient rest;
  private String session;

  /** Starts a server whose agent works, or one without an agent. */
  private void start(boolean agent) throws IOException {
    LocalServerOptions options = LocalServerOptions.of(directory.resolve("data")).withHarpPort(0);
    server = LocalServer.start(agent ? options : options.withoutDemoAgent());
    String key = server.firstKey().orElseThrow();
    harp = new ProtocolClient(server.harpUrl().orElseThrow(), key);
    rest = new ProtocolClient(server.baseUrl(), key);
    session = newSession();
    var unused =
        bridle("create", "--workspace", "default", "--repo-ref", REPO, "--session", session);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String newSession() {
    Answer made = rest.post("/v1/sessions", Json.object().put("workspace_id", "default"));
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    return made.json().path("id").asText();
  }

  private String bridle(String... words) {
    List<String> all = new ArrayList<>(List.of("harp-repo"));
    all.addAll(List.of(words));
    all.addAll(
        List.of(
            "--url", server.baseUrl().toString(), "--api-key", server.firstKey().orElseThrow()));
    return Commands.run(0, all.toArray(String[]::new)).out();
  }

  private static ObjectNode prompt(String request) {
    return Json.object()
        .put("requestId", request)
        .put("artifactType", "prompt.send")
        .put("createdAt", now().toString())
        .put("target", "agentChat")
        .put("repoRef", REPO)
        .put("text", "Count to three: " + request)
        .put("promptHashAlg", "SHA-256");
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  private static ObjectNode hashed(ObjectNode prompt) {
    try {
      return prompt.put("promptHash", HarpJson.hashWithout(prompt, "promptHash"));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  private JsonNode ack(JsonNode prompt) {
    Answer answer = harp.post("/v1/prompt", prompt);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json();
  }

  private String status(ObjectNode prompt) {
    return ack(hashed(prompt)).path("status").asText();
  }

  private void refused(int status, String code, String reason, JsonNode prompt) {
    Answer answer = harp.post("/v1/prompt", prompt);
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.json().at("/body/code").asText()).isEqualTo(code);
    assertThat(answer.json().at("/body/details/reason").asText()).isEqualTo(reason);
  }

  private List<String> texts() {
    List<String> texts = new ArrayList<>();
    rest.get("/v1/sessions/" + session + "/messages?limit=100")
        .json()
        .path("data")
        .forEach(
            message -> {
              if (message.path("role").asText().equals("user")) {
                texts.add(message.at("/parts/0/text").asText());
              }
            });
    return texts;
  }

  @Test
  void aPromptReachesItsSession() throws Exception {
    start(true);
    ObjectNode prompt = hashed(prompt("r1"));
    JsonNode first = ack(prompt);
    assertThat(first.path("requestId").asText()).isEqualTo("r1");
    assertThat(first.path("promptHash")).isEqualTo(prompt.get("promptHash"));

    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> assertThat(ack(prompt).path("status").asText()).isEqualTo("delivered"));

    assertThat(texts()).containsExactly("Count to three: r1");
    Answer again =
        harp.send(harp.call("POST", "/v1/prompt").withBody(prompt).withKey("a key of its own"));
    assertThat(again.json().path("status").asText()).isEqualTo("delivered");
    assertThat(texts()).hasSize(1);
  }

  @Test
  void everyStatusIsAnswered() throws Exception {
    start(false);
    ObjectNode first = hashed(prompt("r1"));
    assertThat(ack(first).path("status").asText()).isEqualTo("queued");
    ObjectNode late = prompt("late");
    late.putObject("extensions")
        .putObject("harpPrompt")
        .put("expiresAt", now().minusSeconds(1).toString());
    assertThat(status(late)).isEqualTo("expired");
    assertThat(status(prompt("r2").put("repoRef", "repo:acme/others"))).isEqualTo("rejected");
    String task = ack(first).at("/details/taskId").asText();
    assertThat(
            rest.post("/v1/tasks/" + task + "/cancel", Json.object().put("reason", "no")).status())
        .isEqualTo(200);
    assertThat(ack(first).path("status").asText()).isEqualTo("error");

    List<String> sent = IntStream.range(0, 10).mapToObj(i -> "in-order-" + i).toList();
    sent.forEach(request -> assertThat(status(prompt(request))).isEqualTo("queued"));
    assertThat(texts().subList(1, 11))
        .isEqualTo(sent.stream().map(request -> "Count to three: " + request).toList());

    assertThat(rest.post("/v1/sessions/" + session + "/close", Json.object()).status())
        .isEqualTo(200);
    JsonNode closed = ack(hashed(prompt("r3")));
    assertThat(closed.path("status").asText()).isEqualTo("rejected");
    assertThat(closed.at("/details/reason").asText()).isEqualTo("closed");
    assertThat(bridle("list")).contains(REPO, session);
  }

  @Test
  void whatIsNoPromptIsRefusedWithItsStatus() throws Exception {
    start(false);
    JsonNode vector = ack(Json.parse(VECTOR));
    assertThat(vector.path("status").asText()).as("it names no session here").isEqualTo("rejected");
    ObjectNode changed = (ObjectNode) Json.parse(VECTOR);
    refused(422, "HARP_ERR_HASH_MISMATCH", "hash", changed.put("text", "Do something else."));
    ack(hashed(prompt("r1")));
    refused(
        422,
        "HARP_ERR_HASH_MISMATCH",
        "another_hash",
        hashed(prompt("r1").put("text", "Something else")));
    refused(
        422,
        "HARP_PROMPT_ERR_TARGET_UNSUPPORTED",
        "unsupported_target",
        hashed(prompt("r2").put("target", "tool")));
    refused(400, "HARP_ERR_TRANSPORT", "schema", hashed(prompt("r2").put("more", "than")));
    refused(
        413,
        "HARP_PROMPT_ERR_TOO_LARGE",
        "too_large",
        hashed(prompt("r2").put("text", "x".repeat(256_000))));
    ProtocolClient nobody = new ProtocolClient(harp.base(), "brk_unknown");
    assertThat(nobody.post("/v1/prompt", hashed(prompt("r3"))).status()).isEqualTo(401);
    Path file = directory.resolve("phone.key");
    var unused =
        Commands.run(
            0,
            "apikey",
            "create",
            "--actor=phone",
            "--scope=harp:approve",
            "--data-dir=" + directory.resolve("data"),
            "--api-key-file=" + file);
    String approver = Files.readString(file).strip();
    ProtocolClient device = new ProtocolClient(harp.base(), approver);
    assertThat(device.post("/v1/prompt", hashed(prompt("r3"))).status()).isEqualTo(403);
    assertThat(texts()).containsExactly("Count to three: r1");
  }
}
