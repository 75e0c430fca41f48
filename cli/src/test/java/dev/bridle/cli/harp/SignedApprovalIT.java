package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Decision;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
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

/** A person answers what an agent asks on a device of their own, over the server's relay. */
final class SignedApprovalIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String ASKED = "request_id";

  @TempDir private static Path directory;
  private static HarpFolder folder;
  private static LocalServer server;
  private static String key;
  private static ProtocolClient client;
  private static String session;

  @BeforeAll
  static void start() throws IOException {
    server = LocalServer.start(LocalServerOptions.of(directory.resolve("data")).withHarpPort(0));
    key = server.firstKey().orElseThrow();
    folder = new HarpFolder(directory);
    folder.createDevice("phone");
    var unused = at(0, "harp", "parties", "create", "phone");
    JsonNode device =
        json(
            at(
                0,
                "harp",
                "enrol",
                folder.path("phone.json"),
                "--principal",
                "ada",
                "--approver",
                "phone",
                "--json"));
    assertThat(device.get("principal").textValue()).isEqualTo("ada");
    client = new ProtocolClient(server.baseUrl(), key);
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
  }

  private static Commands.Said at(int exitCode, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", server.baseUrl().toString(), "--api-key", key));
    return Commands.run(exitCode, all.toArray(String[]::new));
  }

  private static JsonNode json(Commands.Said said) {
    return Json.parse(said.out().strip());
  }

  @Test
  void whatAPersonSignsOnTheirDeviceIsDoneAndAnybodyCanVerifyTheDecision() throws Exception {
    String task = submit("make deploy");
    String request = awaitAsked(task);
    String shown = shown(request);
    assertThat(shown).contains("command.review", "make deploy");

    decide("approve", request);

    await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/tasks/" + task).json().get("status").textValue(),
            "COMPLETED"::equals);
    JsonNode permission = awaitPermission(task, "approved");
    JsonNode answer = permission.at("/response/answers/0");
    assertThat(answer.get("actor").textValue()).isEqualTo("ada");
    assertThat(at(0, "permission", "show", permission.get("id").textValue()).out())
        .contains("approved by ada by harp at ")
        .contains("  signed by the device " + answer.at("/evidence/approval_device_id").asText());
    assertThat(answer.get("channel").textValue()).isEqualTo("harp");
    Decision decision = Decision.of((ObjectNode) answer.at("/evidence/decision"));
    byte[] signs =
        Base64Url.decode(Json.parse(folder.read("phone.json")).get("signingKey").textValue())
            .orElseThrow();
    decision.verifySignature(VerificationKey.of(signs, KeyValidity.UNBOUNDED));
    assertThat(decision.answer()).isEqualTo(Answer.ALLOW);
    assertThat("sha256:" + decision.subject().artifactHash())
        .isEqualTo(answer.at("/evidence/artifact_hash").textValue());
    assertThat(shown).contains(decision.subject().artifactHash());
    verifyOffline(task);
  }

  private static void verifyOffline(String task) {
    String receipt =
        client.get("/v1/tasks/" + task + "/receipts").json().at("/data/0/id").textValue();
    Path evidence = directory.resolve("evidence.jsonl");
    Path keys = directory.resolve("keys.json");
    var unused =
        at(0, "receipt", "export", "--keys", keys.toString(), "--output", folder.path("all.jsonl"));
    var unusedEvidence = at(0, "receipt", "evidence", receipt, "--output", evidence.toString());
    String fingerprint =
        Json.parse(folder.read("phone.json")).get("signingKeyFingerprint").textValue();
    String verified =
        Commands.run(
                0,
                "receipt",
                "verify",
                "--evidence",
                evidence.toString(),
                "--keys",
                keys.toString())
            .out();
    assertThat(verified)
        .contains(": approved; signed by ada; executed as signed", "1 valid, 0 consistent, 0 not")
        .containsSubsequence(
            "    action: ",
            "    │ command: make deploy",
            "    ada approved at 2",
            "(the server's clock), signed by the device phone",
            "      key ",
            fingerprint,
            "      signed for one use, to count until 2");
    JsonNode approval =
        Commands.run(
                ExitCodes.RECEIPT_NOT_COMPLETE,
                "receipt",
                "verify",
                "--json",
                "--evidence",
                evidence.toString())
            .out()
            .lines()
            .map(Json::parse)
            .filter(line -> line.get("type").textValue().equals("approval"))
            .findFirst()
            .orElseThrow();
    assertThat(approval.get("signed_by").get(0).textValue()).isEqualTo("ada");
    assertThat(approval.get("used").booleanValue()).isTrue();
    assertThat(approval.at("/shown/content").findValuesAsText("text")).contains("make deploy");
    assertThat(approval.at("/answers/0/actor").textValue()).isEqualTo("ada");
    assertThat(approval.at("/answers/0/device/key_fingerprint").textValue()).isEqualTo(fingerprint);
    forge(evidence);
    assertThat(
            Commands.run(
                    ExitCodes.RECEIPT_NOT_VALID,
                    "receipt",
                    "verify",
                    "--evidence",
                    evidence.toString(),
                    "--keys",
                    keys.toString())
                .out())
        .contains("invalid: artifact: ");
  }

  /** Shows something else than what was signed. */
  private static void forge(Path evidence) {
    try {
      Files.writeString(
          evidence, Files.readString(evidence).replace("make deploy", "rm -r everything"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Tag("slow")
  @Test
  void aPersonAllowsTheSameActionForTheSessionAndSeesWhichServerAsks() throws IOException {
    String task = submit("make test");
    String request = awaitAsked(task);
    Path keys = directory.resolve("server-keys.json");
    Files.writeString(keys, client.get("/.well-known/receipt-keys.json").text());

    Commands.Said signed =
        decide(
            "approve",
            request,
            List.of("--scope", "session", "--action", "allow", "--issuer-keys", keys.toString()));

    assertThat(signed.err())
        .contains("asked by the server with the key ", "grants.this_action: This exact action");
    JsonNode answer = awaitPermission(task, "approved").at("/response/answers/0");
    assertThat(answer.get("grant").textValue()).isEqualTo("this_action");
    assertThat(answer.get("option_id").textValue()).isEqualTo("allow");
    assertThat(answer.at("/evidence/decision/policyHints/dev.bridle.option").textValue())
        .as("the button is signed")
        .isEqualTo("allow");
    String again = submit("make test");
    await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/tasks/" + again).json().get("status").textValue(),
            "COMPLETED"::equals);
    assertThat(client.get("/v1/permission-requests?task_id=" + again).json().get("data")).isEmpty();
  }

  @Tag("slow")
  @Test
  void whatAPersonRejectsIsDenied() {
    String task = submit("rm -r /");
    String request = awaitAsked(task);

    decide("reject", request, List.of("--reason", "Not on a Friday."));

    JsonNode answer = awaitPermission(task, "denied").at("/response/answers/0");
    assertThat(answer.get("reason").textValue()).isEqualTo("Not on a Friday.");
    assertThat(answer.at("/evidence/decision/policyHints/dev.bridle.reason").isTextual()).isTrue();
    assertThat(answer.at("/evidence/reason_salt").isTextual()).isTrue();
    assertThat(answer.get("actor").textValue()).isEqualTo("ada");
    assertThat(answer.get("approved").booleanValue()).isFalse();
  }

  private static String submit(String command) {
    String body = "{\"input\":{\"act\":{\"tool\":\"shell\",\"command\":\"" + command + "\"}}}";
    return client
        .post("/v1/sessions/" + session + "/tasks", Json.parse(body))
        .json()
        .get("id")
        .textValue();
  }

  /**
   * Waits until the relay has what a device is asked about a task, and returns the request's id.
   */
  private static String awaitAsked(String task) {
    String asked =
        await()
            .atMost(PATIENCE)
            .until(
                () -> client.get("/v1/tasks/" + task + "/events").json().findValuesAsText(ASKED),
                found -> !found.isEmpty())
            .get(0);
    await()
        .atMost(PATIENCE)
        .until(() -> atRelay("inbox", "--approver", "phone").out().contains(asked));
    return asked;
  }

  private static Commands.Said atRelay(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(relay());
    return HarpFolder.harp(0, all.toArray(String[]::new));
  }

  private static List<String> relay() {
    return List.of("--relay", server.harpUrl().orElseThrow().toString(), "--api-key", key);
  }

  private static String shown(String request) {
    return atRelay(
            "show",
            "--approver",
            "phone",
            "--request",
            request,
            "--keys",
            folder.path("phone.keys"),
            "--passphrase-file",
            folder.path("passphrase"))
        .out();
  }

  private static void decide(String word, String request) {
    var unused = decide(word, request, List.of());
  }

  private static Commands.Said decide(String word, String request, List<String> options) {
    List<String> more = new ArrayList<>(List.of("--approver", "phone", "--request", request));
    more.addAll(relay());
    more.addAll(options);
    return folder.decide(0, word, "phone", more);
  }

  private static JsonNode awaitPermission(String task, String status) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/permission-requests?task_id=" + task).json().at("/data/0"),
            found -> found.path("status").asText().equals(status));
  }
}
