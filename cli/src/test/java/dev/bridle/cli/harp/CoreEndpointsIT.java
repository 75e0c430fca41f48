package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The endpoints of core objects: artifacts in plaintext, and whole decisions. */
final class CoreEndpointsIT {
  @TempDir private static Path directory;
  private static HarpFolder folder;
  private static LocalServer server;
  private static String key;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    key = server.firstKey().orElseThrow();
    folder = new HarpFolder(directory);
    folder.createDevice("phone");
    var unusedParty = run("harp", "parties", "create", "phone", "--actor", "ada");
    var unused =
        run(
            "harp",
            "enrol",
            folder.path("phone.json"),
            "--principal",
            "ada",
            "--approver",
            "phone");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Commands.Said run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", server.baseUrl().toString(), "--api-key", key));
    return Commands.run(0, all.toArray(String[]::new));
  }

  private static ProtocolClient as(String actor, String scope) {
    return new ProtocolClient(
        server.harpUrl().orElseThrow(), server.credential(actor, Set.of(scope)));
  }

  private static List<String> at(String actor, String scope) {
    return List.of(
        "--relay",
        server.harpUrl().orElseThrow().toString(),
        "--api-key",
        server.credential(actor, Set.of(scope)));
  }

  private static Commands.Said harp(int exitCode, List<String> more, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(more);
    return HarpFolder.harp(exitCode, all.toArray(String[]::new));
  }

  private static ObjectNode artifact(String name, String... more) {
    folder.write("action.json", "{\"command\":\"make " + name + "\",\"sessionId\":\"s-1\"}");
    List<String> options =
        new ArrayList<>(
            List.of(
                "--type",
                "command.review",
                "--payload",
                folder.path("action.json"),
                "--out",
                folder.path(name + ".json")));
    options.addAll(List.of(more));
    var unused = harp(0, options, "artifact");
    return (ObjectNode) Json.parse(folder.read(name + ".json"));
  }

  private static String code(Answer reply) {
    return reply.json().at("/body/code").textValue();
  }

  @Test
  void anArtifactInPlaintextIsSealedForADeviceAndDecidedByAWholeDecision() {
    String request =
        artifact("deploy", "--action", "run=approve=Run it", "--action", "no=reject=Not now")
            .get("requestId")
            .textValue();
    List<String> ci = at("ci", "harp:enforce");
    List<String> ada = at("ada", "harp:approve");
    for (int times = 0; times < 2; times++) {
      var unused =
          harp(
              0,
              ci,
              "submit",
              "--enforcer",
              "ci",
              "--seal-at-server",
              "--artifact",
              folder.path("deploy.json"),
              "--approver",
              "phone");
    }

    List<String> asked = new ArrayList<>(ada);
    asked.addAll(List.of("--approver", "phone", "--request", request));
    String shown =
        harp(
                0,
                asked,
                "show",
                "--keys",
                folder.path("phone.keys"),
                "--passphrase-file",
                folder.path("passphrase"))
            .out();
    assertThat(shown).contains("make deploy", "button run: Run it (approve");
    asked.addAll(List.of("--scope", "session", "--action", "run", "--envelope"));
    asked.add(folder.path("envelope.json"));
    asked.addAll(List.of("--out", folder.path("whole.json")));
    var unusedDecision = folder.decide(0, "approve", "phone", asked);
    var unusedSent = harp(0, ada, "decide", "--decision", folder.path("whole.json"));

    ObjectNode delivered =
        (ObjectNode)
            as("ci", "harp:enforce").get("/v1/exchanges/" + request + "/wait?timeout=5").json();
    folder.write("delivered.json", delivered.toString());
    assertThat(delivered.at("/trace/dev.bridle.decision/scope").textValue()).isEqualTo("session");
    assertThat(Json.parse(folder.read("envelope.json")).at("/trace/dev.bridle.action").textValue())
        .isEqualTo("run");
    // The artifact has no session of its own, so that an enforcer which has none refuses it.
    assertThat(folder.enforce(1, "phone", "deploy.json", "delivered.json").out())
        .contains("HARP_ERR_SCOPE");
  }

  @Test
  void whatCanNotBeSealedForADeviceIsRefusedByName() {
    ProtocolClient ci = as("ci", "harp:enforce");
    ObjectNode good = artifact("one");
    ObjectNode wrongHash = good.deepCopy().put("artifactHash", "0".repeat(64));
    ObjectNode noArtifact = good.deepCopy();
    noArtifact.remove("payload");

    assertThat(ci.post("/v1/artifact", wrongHash))
        .satisfies(reply -> assertThat(reply.status()).isEqualTo(422))
        .satisfies(reply -> assertThat(code(reply)).isEqualTo("HARP_ERR_HASH_MISMATCH"));
    assertThat(ci.post("/v1/artifact", noArtifact).status()).isEqualTo(400);
    assertThat(ci.post("/v1/artifact?approverId=nobody", good))
        .satisfies(reply -> assertThat(reply.status()).isEqualTo(422))
        .satisfies(reply -> assertThat(code(reply)).isEqualTo("HARP_ERR_POLICY_DENY"));
    assertThat(ci.post("/v1/artifact?what=ever", good).status()).isEqualTo(400);
    assertThat(as("ada", "harp:approve").post("/v1/artifact", good).status()).isEqualTo(403);
    assertThat(ci.post("/v1/artifact?enforcerId=bridle", good).status())
        .as("the server's own id")
        .isEqualTo(404);
  }

  @Test
  void anEnvelopeNamesWhoAsksAndWhoIsAsked() {
    ObjectNode artifact = artifact("two");
    ObjectNode envelope =
        Json.object()
            .put("envelopeId", "e-1")
            .put("msgType", "artifact.submit")
            .put("createdAt", artifact.get("createdAt").textValue());
    envelope.putObject("sender").put("actor", "HE").put("deviceId", "builds");
    envelope.putObject("recipient").put("actor", "MA").put("deviceId", "phone");
    envelope.set("body", artifact);

    Answer accepted = as("ci", "harp:enforce").post("/v1/artifact", envelope);

    assertThat(accepted.status()).isEqualTo(202);
    assertThat(accepted.json().at("/recipient/enforcerId").textValue()).isEqualTo("builds");
    assertThat(as("ci", "harp:enforce").post("/v1/decision", envelope).status()).isEqualTo(403);
    assertThat(as("ada", "harp:approve").post("/v1/decision", envelope).status()).isEqualTo(400);
  }

  @Test
  void aDecisionThatTheDeviceHasNotSignedIsNotRelayed() {
    String request = artifact("three").get("requestId").textValue();
    assertThat(
            as("ci", "harp:enforce")
                .post("/v1/artifact", Json.parse(folder.read("three.json")))
                .status())
        .isEqualTo(202);
    List<String> options =
        List.of("--artifact", folder.path("three.json"), "--out", folder.path("d3.json"));
    var unused = folder.decide(0, "approve", "phone", options);
    ObjectNode decision = (ObjectNode) Json.parse(folder.read("d3.json"));
    ObjectNode turned = decision.deepCopy().put("decision", "deny");
    ObjectNode unknown = decision.deepCopy().put("requestId", "other");

    ProtocolClient ada = as("ada", "harp:approve");
    assertThat(ada.post("/v1/decision", turned))
        .satisfies(reply -> assertThat(reply.status()).isEqualTo(400))
        .satisfies(reply -> assertThat(code(reply)).isEqualTo("HARP_ERR_SIGNATURE_INVALID"));
    assertThat(as("eve", "harp:approve").post("/v1/decision", decision).status())
        .as("somebody else")
        .isEqualTo(404);
    assertThat(ada.post("/v1/decision", unknown).status()).isIn(400, 404);
    JsonNode accepted = ada.post("/v1/decision", decision).json();
    assertThat(accepted.get("msgType").textValue()).isEqualTo("decision.accepted");
    assertThat(ada.post("/v1/decision", decision).status()).as("again").isEqualTo(200);
    assertThat(
            as("ci", "harp:enforce")
                .get("/v1/exchanges/" + request)
                .json()
                .at("/body/state")
                .textValue())
        .isEqualTo("decided");
  }
}
