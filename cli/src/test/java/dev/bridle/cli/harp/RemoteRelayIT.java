package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device is asked over a relay that runs alone in another process, and either may be killed. */
@Tag("slow")
final class RemoteRelayIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path directory;
  private static HarpFolder folder;
  private static Commands commands;
  private static ServerProcess relay;
  private static ServerProcess server;
  private static ProtocolClient client;
  private static String session;

  @BeforeAll
  static void start() throws IOException {
    folder = new HarpFolder(directory);
    commands = new Commands(directory);
    relay = startRelay(0);
    createKey("gate.key", "gate", "harp:enforce");
    createKey("phone.key", "ada", "harp:approve");
    folder.createDevice("phone");
    var unusedParty =
        HarpFolder.harp(
            0,
            "parties",
            "create",
            "phone",
            "--actor",
            "ada",
            "--url",
            relay.url().toString(),
            "--api-key-file",
            folder.path("admin.key"));
    folder.write(
        "relays.json",
        "{\"relays\":{\"home\":{\"url\":\"%s\",\"token_file\":\"gate.key\"}}}"
            .formatted(relay.harpUrl().orElseThrow()));
    server = startServer();
    var unused = HarpFolder.harp(0, enrolment("home"));
    connect();
    session =
        client
            .post("/v1/sessions", Json.parse("{\"workspace_id\":\"default\"}"))
            .json()
            .get("id")
            .textValue();
  }

  @AfterAll
  static void stop() {
    server.close();
    relay.close();
  }

  private static ServerProcess startRelay(int port) {
    return ServerProcess.start(
        BuiltBridle.java(),
        directory.resolve("relay.log"),
        "harp-gateway",
        List.of(
            "--data-dir",
            folder.path("relay"),
            "--api-key-file",
            folder.path("admin.key"),
            "--harp-port",
            "" + port,
            "--admin-port",
            "0",
            "--grpc-port",
            "0"));
  }

  private static ServerProcess startServer() {
    return commands.startProcess("data", "--harp-relays", folder.path("relays.json"));
  }

  private static void connect() throws IOException {
    client = commands.client(server, "data");
  }

  private static void createKey(String file, String actor, String scope) {
    var unused =
        Commands.run(
            0,
            "apikey",
            "create",
            "--data-dir",
            folder.path("relay"),
            "--actor",
            actor,
            "--scope",
            scope,
            "--api-key-file",
            folder.path(file));
  }

  private static String[] enrolment(String relayName) {
    return new String[] {
      "enrol",
      folder.path("phone.json"),
      "--principal",
      "ada",
      "--approver",
      "phone",
      "--relay-name",
      relayName,
      "--url",
      server.url().toString(),
      "--api-key-file",
      folder.path("data.key")
    };
  }

  private static String submit(String command) {
    String body = "{\"input\":{\"act\":{\"tool\":\"shell\",\"command\":\"" + command + "\"}}}";
    return client
        .post("/v1/sessions/" + session + "/tasks", Json.parse(body))
        .json()
        .get("id")
        .textValue();
  }

  /** Waits for the request by which the device is asked about a task, and returns its id. */
  private static String awaitRequested(String task) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/tasks/" + task + "/events").json().findValuesAsText("request_id"),
            found -> !found.isEmpty())
        .get(0);
  }

  private static String awaitInInbox(String task) {
    String request = awaitRequested(task);
    await().atMost(PATIENCE).until(() -> inbox().contains(request));
    return request;
  }

  private static List<String> atRelay() {
    return List.of(
        "--relay",
        relay.harpUrl().orElseThrow().toString(),
        "--api-key-file",
        folder.path("phone.key"));
  }

  private static String inbox() {
    List<String> words = new ArrayList<>(List.of("inbox", "--approver", "phone"));
    words.addAll(atRelay());
    return HarpFolder.harp(0, words.toArray(String[]::new)).out();
  }

  private static void approve(String request) {
    List<String> words = new ArrayList<>(List.of("--approver", "phone", "--request", request));
    words.addAll(atRelay());
    var unused = folder.decide(0, "approve", "phone", words);
  }

  private static void awaitCompleted(String task) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/tasks/" + task).json().get("status").textValue(),
            "COMPLETED"::equals);
  }

  private static JsonNode permission(String task) {
    return client.get("/v1/permission-requests?task_id=" + task).json().at("/data/0");
  }

  private static void restartRelay() {
    int port = relay.harpUrl().orElseThrow().getPort();
    relay.kill();
    relay = startRelay(port);
  }

  private static void assertAnsweredByTheDevice(String task) {
    JsonNode answer = permission(task).at("/response/answers/0");
    assertThat(answer.get("actor").textValue()).isEqualTo("ada");
    assertThat(answer.get("channel").textValue()).isEqualTo("harp");
    assertThat(answer.at("/evidence/decision").isObject()).isTrue();
  }

  @Test
  void whatTheDeviceApprovesThereIsDoneHereAndAcknowledged() throws IOException {
    String task = submit("make deploy");
    String request = awaitInInbox(task);

    approve(request);

    awaitCompleted(task);
    assertAnsweredByTheDevice(task);
    ProtocolClient enforcer =
        new ProtocolClient(
            relay.harpUrl().orElseThrow(), Files.readString(directory.resolve("gate.key")).strip());
    await()
        .atMost(PATIENCE)
        .until(
            () -> enforcer.get("/v1/exchanges/" + request).json().at("/body/state").asText(),
            "delivered"::equals);
  }

  @Test
  @Tag("slow")
  void aDecisionArrivesThoughTheRelayIsKilledAfterItWasAsked() {
    String task = submit("make again");
    String request = awaitInInbox(task);

    restartRelay();
    approve(request);

    awaitCompleted(task);
    assertAnsweredByTheDevice(task);
  }

  @Test
  @Tag("slow")
  void aDecisionArrivesThoughTheServerIsKilledBeforeItIsMade() throws IOException {
    String task = submit("make anew");
    String request = awaitInInbox(task);

    server.kill();
    approve(request);
    server = startServer();
    connect();

    awaitCompleted(task);
    assertAnsweredByTheDevice(task);
  }

  @Test
  void anotherApproverAnswersWhileTheRelayIsDownAndTheDeviceIsAskedNoMore() {
    int port = relay.harpUrl().orElseThrow().getPort();
    String before = submit("make one");
    String asked = awaitInInbox(before);
    relay.kill();
    String during = submit("make two");
    String neverSent = awaitRequested(during);

    for (String task : List.of(before, during)) {
      var unused =
          client.post(
              "/v1/permission-requests/" + permission(task).path("id").asText() + "/respond",
              Json.parse("{\"approved\":true}"));
      awaitCompleted(task);
    }

    relay = startRelay(port);
    await().atMost(PATIENCE).until(() -> !inbox().contains(asked));
    assertThat(inbox()).doesNotContain(neverSent);
  }

  @Test
  void aRelayThatTheOperatorHasNotConfiguredIsRefused() {
    assertThat(HarpFolder.harp(1, enrolment("other")).err())
        .contains("names no relay that the server's operator has configured", "at relay");
  }

  @Test
  void theCredentialIsInNoLogAndNotInTheEvents() throws IOException {
    String secret = Files.readString(directory.resolve("gate.key")).strip();
    String task = submit("make secret");
    var unused = awaitInInbox(task);

    assertThat(folder.read("data.log")).doesNotContain(secret);
    assertThat(client.get("/v1/tasks/" + task + "/events").text()).doesNotContain(secret);
  }
}
