package dev.bridle.cli.receipt;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.tree.InclusionProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receipts from the end of tasks on a real server to somebody who verifies them without it. */
final class ReceiptsIT {
  private static final int TASKS = 3;

  @TempDir private Path directory;

  @Test
  void whatIsExportedVerifiesWithoutTheServerAndNothingThatWasChanged() throws IOException {
    Commands commands = new Commands(directory);
    String receipts = commands.path("receipts.jsonl");
    String keys = commands.path("keys.json");
    try (UpThread server = commands.start("data")) {
      String session = sessionWithTasks(commands.client(server, "data"));
      export(commands, server, "--session", session, "--output", receipts, "--keys", keys);
    }

    String verified =
        run(0, "receipt", "verify", receipts, "--keys", keys, "--chain", "--require-complete")
            .out();

    assertThat(verified).contains(TASKS + " valid, 0 consistent, 0 not valid.");
    List<String> lines = Files.readAllLines(Path.of(receipts));
    List<String> changed = new ArrayList<>(lines);
    changed.set(3, changed.get(3).replace("\"bridle.attempts\":1", "\"bridle.attempts\":2"));
    assertThat(verify(changed, keys)).contains("invalid: hash");
    List<String> dropped = new ArrayList<>(lines);
    dropped.remove(3);
    assertThat(verify(dropped, keys)).containsIgnoringCase("dropped");
    List<String> swapped = new ArrayList<>(lines);
    swapped.set(2, lines.get(3));
    swapped.set(3, lines.get(2));
    assertThat(verify(swapped, keys)).containsIgnoringCase("swapped");
    List<String> repeated = new ArrayList<>(lines);
    repeated.add(4, lines.get(3));
    assertThat(verify(repeated, keys)).containsIgnoringCase("repeated");
    List<String> cut = new ArrayList<>(lines);
    cut.remove(TASKS + 1);
    assertThat(verify(cut, keys)).contains("invalid: dropped", "end: it is the end of other lines");
    Path open = Files.write(directory.resolve("open.jsonl"), lines.subList(0, TASKS + 1));
    assertThat(run(9, "receipt", "verify", open.toString(), "--keys", keys, "--chain").out())
        .contains("no signed end says that no line is missing");
  }

  @Tag("slow")
  @Test
  void aFreshServerPublishesItsKeyAndAPinnedKeyHasToStay() throws IOException {
    Commands commands = new Commands(directory);
    Path pinned = directory.resolve("pinned.json");
    try (UpThread server = commands.start("data")) {
      String[] keys = at(commands, server, "receipt", "keys", "--pin", pinned.toString());
      assertThat(run(0, keys).out()).contains("  from 2", "  signs");
      byte[] before = Files.readAllBytes(pinned);
      assertThat(run(0, keys).out()).contains("signs");

      run(0, "oauth", "key", "rotate", "--data-dir", commands.path("data"));
      assertThat(run(ExitCodes.RECEIPT_NOT_COMPLETE, keys).err())
          .contains("a new key", "--accept ", "is left as it is");
      assertThat(pinned).hasBinaryContent(before);
      String newest =
          commands
              .client(server, "data")
              .get("/.well-known/receipt-keys.json")
              .json()
              .at("/keys/0/kid")
              .textValue();
      List<String> accepting = new ArrayList<>(List.of(keys));
      accepting.addAll(List.of("--accept", newest));
      assertThat(run(0, accepting.toArray(String[]::new)).out()).contains("retired", "signs");
      assertThat(Files.readString(pinned)).contains(newest);

      Path kept = Files.move(pinned, directory.resolve("kept.json"));
      Files.createSymbolicLink(pinned, kept);
      run(0, keys);
      assertThat(pinned).isSymbolicLink();
      Files.delete(kept);
      run(ExitCodes.USAGE, keys);
      Files.delete(pinned);

      Files.copy(
          Path.of("..", "fixtures", "receipts", "cases", "keys-foreign.json"),
          pinned,
          StandardCopyOption.REPLACE_EXISTING);
      assertThat(run(ExitCodes.RECEIPT_NOT_VALID, keys).err())
          .contains("is no longer published", "Ask the server's operator");
    }
  }

  private static String[] at(Commands commands, UpThread server, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(commands.at(server.url(), "data"));
    return all.toArray(String[]::new);
  }

  @Tag("slow")
  @Test
  void theServerVerifiesItsReceiptsAndProvesThatTheyAreInTheirChain() throws IOException {
    Commands commands = new Commands(directory);
    try (UpThread server = commands.start("data")) {
      ProtocolClient client = commands.client(server, "data");
      String session = sessionWithTasks(client);
      for (JsonNode receipt : data(client.get("/v1/receipts?session_id=" + session))) {
        String path = "/v1/receipts/" + receipt.get("id").textValue();
        JsonNode verification = client.post(path + "/verify", Json.object()).json();
        assertThat(verification.get("valid").booleanValue()).isTrue();
        verification.at("/details/checks").forEach(c -> assertThat(c.asText()).isEqualTo("passed"));
        JsonNode proof = client.get(path + "/inclusion-proof").json();
        assertThat(proof.get("tree_size").intValue()).isEqualTo(TASKS);
        assertThat(
                inclusion(proof).verifies(hash(proof, "receipt_hash"), hash(proof, "merkle_root")))
            .isTrue();
      }
      List<String> events =
          data(client.get("/v1/sessions/" + session + "/events?limit=200")).stream()
              .map(event -> event.get("event").textValue())
              .toList();
      assertThat(events).filteredOn("receipt.issued"::equals).hasSize(TASKS);
      assertThat(events).filteredOn("receipt.verified"::equals).hasSize(TASKS);
      String again =
          data(client.get("/v1/receipts?session_id=" + session)).get(0).get("id").asText();
      client.post("/v1/receipts/" + again + "/verify", Json.object());
      assertThat(data(client.get("/v1/sessions/" + session + "/events?limit=200")))
          .as("a result that is known makes no event")
          .hasSize(events.size());
    }
  }

  @Tag("slow")
  @Test
  void anArtifactAndADecisionGetReceiptsOfTheirOwnOnce() throws IOException {
    Commands commands = new Commands(directory);
    try (UpThread server = commands.start("data")) {
      ProtocolClient client = commands.client(server, "data");
      String session = sessionWithTasks(client);
      JsonNode artifact = data(client.get("/v1/artifacts?session_id=" + session)).get(0);
      String path = "/v1/artifacts/" + artifact.get("id").textValue() + "/receipt";

      JsonNode issued = client.post(path, Json.object()).json();

      assertThat(issued.at("/subject/object").textValue()).isEqualTo("artifact");
      assertThat(issued.at("/wire/payload/final_artifacts/0/sha256").textValue())
          .isEqualTo("sha256:" + artifact.get("sha256").textValue());
      assertThat(client.post(path, Json.object()).json().get("id")).isEqualTo(issued.get("id"));
      assertThat(data(client.get("/v1/receipts?session_id=" + session))).hasSize(TASKS + 1);
      assertThat(data(client.get("/v1/tasks/" + artifact.get("task_id").textValue() + "/receipts")))
          .extracting(receipt -> receipt.at("/subject/object").textValue())
          .containsExactly("task", "artifact");
      assertThat(artifact.get("receipt_id").textValue())
          .isEqualTo(
              client
                  .get("/v1/tasks/" + artifact.get("task_id").textValue())
                  .json()
                  .get("receipt_id")
                  .textValue());
    }
  }

  private String verify(List<String> lines, String keys) throws IOException {
    Path file = Files.write(directory.resolve("changed.jsonl"), lines);
    return run(
            ExitCodes.RECEIPT_NOT_VALID,
            "receipt",
            "verify",
            file.toString(),
            "--keys",
            keys,
            "--chain")
        .out();
  }

  private static void export(Commands commands, UpThread server, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "receipt",
                "export",
                "--url",
                server.url().toString(),
                "--api-key-file",
                commands.path("data.key")));
    arguments.addAll(List.of(more));
    run(0, arguments.toArray(String[]::new));
  }

  /** Returns a session in which tasks of the demo agent have completed, one after the other. */
  private static String sessionWithTasks(ProtocolClient client) {
    String session =
        client
            .post("/v1/sessions", Json.object().put("workspace_id", "default"))
            .json()
            .get("id")
            .textValue();
    for (int i = 0; i < TASKS; i++) {
      var body = Json.object();
      body.putObject("input").put("text", "one two one");
      String task =
          client.post("/v1/sessions/" + session + "/tasks", body).json().get("id").textValue();
      await()
          .until(
              () ->
                  client
                      .get("/v1/tasks/" + task)
                      .json()
                      .get("status")
                      .textValue()
                      .equals("COMPLETED"));
    }
    return session;
  }

  private static List<JsonNode> data(Answer answer) {
    return StreamSupport.stream(answer.json().get("data").spliterator(), false).toList();
  }

  private static InclusionProof inclusion(JsonNode proof) {
    return new InclusionProof(
        proof.get("index").longValue(),
        proof.get("tree_size").longValue(),
        StreamSupport.stream(proof.get("path").spliterator(), false)
            .map(node -> Sha256.parse(node.textValue()).orElseThrow())
            .toList());
  }

  private static Sha256 hash(JsonNode proof, String member) {
    return Sha256.parse(proof.get(member).textValue()).orElseThrow();
  }
}
