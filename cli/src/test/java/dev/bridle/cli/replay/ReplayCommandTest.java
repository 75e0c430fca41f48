package dev.bridle.cli.replay;

import static dev.bridle.cli.process.Commands.run;
import static dev.bridle.cli.process.Commands.runTyping;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No test here has a server or a data directory. */
final class ReplayCommandTest {
  private static final Path FIXTURES = Path.of("..", "fixtures", "replay");
  private static final String KEYS = FIXTURES.resolve("keys.json").toString();
  private static final String SOURCE = FIXTURES.resolve("source.jsonl").toString();
  private static final int RECEIPT_LINE = 2;
  private static final int FIRST_EVENT = 3;
  private static final int NOT_VALID = 8;
  private static final int NOT_COMPLETE = 9;
  private static final int USAGE = 2;

  @TempDir private Path directory;

  @Test
  void aRecordedTaskReplaysWithoutAServer() throws IOException {
    Path segment = directory.resolve("segment.json");

    String said = run(0, "replay", SOURCE, "--keys", KEYS, "--output", segment.toString()).out();

    assertThat(said)
        .contains(
            "receipt receipt_00000: valid",
            "passed        log_digest: sha256:",
            "passed        lifecycle: 7 lifecycle events up to COMPLETED",
            "not derivable cost: ",
            "task_00000 replayed: 17 events, COMPLETED, as its receipt says.");
    assertThat(said).doesNotContain("who issued", "Who issued");
    assertThat(Files.readAllBytes(segment))
        .isEqualTo(Files.readAllBytes(FIXTURES.resolve("segment.json")));
  }

  @Test
  void theSegmentsReceiptVerifiesAsOne() {
    String file = FIXTURES.resolve("segment.json").toString();

    assertThat(run(NOT_COMPLETE, "receipt", "verify", file).out())
        .contains("consistent; not checked: link, signature, origin");
  }

  @Test
  void scriptsGetALineForTheReceiptAndOneForTheReplay() {
    List<JsonNode> lines = json(0, SOURCE, "--keys", KEYS, "--require-complete");

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).get("type").textValue()).isEqualTo("receipt");
    assertThat(lines.get(0).get("valid").booleanValue()).isTrue();
    assertThat(lines.get(0).get("issuer_checked").booleanValue()).isTrue();
    JsonNode replay = lines.get(1);
    assertThat(replay.get("replayed").booleanValue()).isTrue();
    assertThat(replay.get("complete").booleanValue()).isTrue();
    assertThat(replay.get("final_state").textValue()).isEqualTo("COMPLETED");
    assertThat(replay.get("checks").findValuesAsText("outcome"))
        .contains("passed", "not_derivable")
        .doesNotContain("not_checked");
    assertThat(replay.at("/segment/receipt_hash").textValue()).startsWith("sha256:");
  }

  @Test
  void keysOfTheSameFileProveNoOrigin() {
    assertThat(run(NOT_COMPLETE, "replay", SOURCE).out())
        .contains("receipt receipt_00000: consistent", "they do not prove who issued it");
    assertThat(run(0, "replay", SOURCE, "--accept-unproven").out()).contains("replayed: 17 events");
    List<JsonNode> lines = json(NOT_COMPLETE, SOURCE);
    assertThat(lines.get(0).get("issuer_checked").booleanValue()).isFalse();
    assertThat(lines)
        .extracting(line -> line.get("verdict").textValue())
        .containsOnly("consistent");
  }

  /** Who has no key can still make a receipt for a log of their own. */
  @Test
  void aLogWhoseReceiptNoTrustedKeyHasSignedIsInvalid() throws IOException {
    Path unsigned = withReceipt(receipt -> receipt.remove("signatures"));
    Path foreign = directory.resolve("foreign.json");
    Files.writeString(
        foreign,
        Files.readString(Path.of("..", "fixtures", "receipts", "cases", "keys-foreign.json")));

    assertThat(run(NOT_VALID, "replay", unsigned.toString(), "--keys", KEYS).out())
        .contains("invalid: signature")
        .doesNotContain("replayed:");
    assertThat(run(NOT_VALID, "replay", SOURCE, "--keys", foreign.toString()).out())
        .contains("invalid: signature: the key ");
    assertThat(run(NOT_COMPLETE, "replay", unsigned.toString()).out()).contains(": consistent");
  }

  /** Writes the file with a changed receipt, which names no key and has the right hash. */
  private Path withReceipt(Consumer<ObjectNode> change) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(SOURCE)));
    ObjectNode line = (ObjectNode) JsonLines.parse(lines.get(RECEIPT_LINE)).orElseThrow();
    ObjectNode receipt = (ObjectNode) line.get("receipt");
    change.accept(receipt);
    ((ObjectNode) receipt.get("issuer")).remove("public_key_id");
    ((ObjectNode) receipt.get("chain")).remove("receipt_hash");
    String hash = Sha256.of(CanonicalJson.bytes(receipt)).toString();
    ((ObjectNode) receipt.get("chain")).put("receipt_hash", hash);
    lines.set(RECEIPT_LINE, line.toString());
    return Files.write(directory.resolve("changed.jsonl"), lines);
  }

  /**
   * A file that must not replay.
   *
   * @param said what is said about it
   */
  record Broken(String name, Consumer<List<String>> change, int exitCode, String said) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Broken> broken() {
    return Stream.of(
        new Broken(
            "a forged receipt",
            lines ->
                lines.set(
                    RECEIPT_LINE,
                    lines.get(RECEIPT_LINE).replace("\"actor\":\"ada\"", "\"actor\":\"eve\"")),
            NOT_VALID,
            "invalid: hash"),
        new Broken(
            "a dropped event",
            lines -> lines.remove(FIRST_EVENT + 4),
            NOT_VALID,
            "replay_diverged at event 4: sequence: expected 4, found 5"),
        new Broken(
            "a repeated event",
            lines -> lines.add(FIRST_EVENT + 4, lines.get(FIRST_EVENT + 3)),
            NOT_VALID,
            "replay_diverged at event 4: sequence: expected 4, found 3"),
        new Broken(
            "an altered event",
            lines ->
                lines.set(FIRST_EVENT + 4, lines.get(FIRST_EVENT + 4).replace("make", "rm -r")),
            NOT_VALID,
            "replay_diverged at event 4: commitment: expected sha256:"),
        new Broken(
            "an altered kind",
            lines ->
                lines.set(
                    FIRST_EVENT + 15,
                    lines.get(FIRST_EVENT + 15).replace("agent.message", "user.message")),
            NOT_VALID,
            "replay_diverged: log_digest: expected sha256:"),
        new Broken(
            "a removed beginning",
            lines -> lines.remove(FIRST_EVENT),
            NOT_COMPLETE,
            "replay_unavailable: events: expected all events from 0 on, found none before 1"),
        new Broken(
            "no events",
            lines -> lines.subList(FIRST_EVENT, lines.size()).clear(),
            NOT_COMPLETE,
            "replay_unavailable: events: expected 17 events, found none"),
        new Broken("no receipt", lines -> lines.remove(RECEIPT_LINE), NOT_VALID, "line 3"),
        new Broken("nothing", List::clear, USAGE, "The file has no receipt."),
        new Broken(
            "two receipts",
            lines -> lines.add(lines.get(RECEIPT_LINE)),
            NOT_VALID,
            "line 21: it is no event"),
        new Broken("a torn line", lines -> lines.set(9, "{\"type\":"), NOT_VALID, "line 10"),
        new Broken(
            "keys after the receipt",
            lines -> lines.add(lines.remove(1)),
            NOT_VALID,
            "line 20: a key set stands before the receipt"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void whatIsBrokenIsRefusedByItsNameAndHasNoSegment(Broken broken) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(SOURCE)));
    broken.change().accept(lines);
    Path file = Files.write(directory.resolve("broken.jsonl"), lines);
    Path segment = directory.resolve("segment.json");

    var said = run(broken.exitCode(), "replay", file.toString(), "--output", segment.toString());

    assertThat(said.out() + said.err()).contains(broken.said());
    assertThat(said.out()).doesNotContain("as its receipt says");
    assertThat(segment).doesNotExist();
  }

  @Test
  void whatIsMissingIsNotCalledADifference() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(SOURCE)));
    lines.remove(FIRST_EVENT + 4);
    Path other = Files.write(directory.resolve("other.jsonl"), lines);
    lines.remove(FIRST_EVENT);
    Path missing = Files.write(directory.resolve("missing.jsonl"), lines);

    assertThat(run(NOT_COMPLETE, "replay", missing.toString()).out())
        .contains("task_00000 was not replayed: see above for what is missing.");
    assertThat(run(NOT_VALID, "replay", other.toString()).out())
        .contains("task_00000 was not replayed: see the first difference above.");
  }

  @Test
  void scriptsGetTheFirstDifferenceInItsParts() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(SOURCE)));
    lines.remove(FIRST_EVENT + 4);
    Path file = Files.write(directory.resolve("dropped.jsonl"), lines);

    JsonNode replay = json(NOT_VALID, file.toString()).get(1);

    assertThat(replay.get("replayed").booleanValue()).isFalse();
    assertThat(replay.at("/fault/code").textValue()).isEqualTo("replay_diverged");
    assertThat(replay.at("/fault/sequence").intValue()).isEqualTo(4);
    assertThat(replay.at("/fault/what").textValue()).isEqualTo("sequence");
    assertThat(replay.has("segment")).isFalse();
  }

  @Test
  void whatWasErasedIsSaidAndNotPassed() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(SOURCE)));
    lines.set(
        FIRST_EVENT + 4,
        lines
            .get(FIRST_EVENT + 4)
            .replaceAll("\"payload\":\"(\\\\.|[^\"\\\\])*\",", "")
            .replaceAll(",\"salt\":\"[0-9a-f]+\"", ""));
    Path file = Files.write(directory.resolve("erased.jsonl"), lines);

    assertThat(run(0, "replay", file.toString(), "--keys", KEYS).out())
        .contains("not checked   commitments: 16 of 17 payloads")
        .contains("not checked   tool_calls: 1 of 2");
    run(NOT_COMPLETE, "replay", file.toString(), "--keys", KEYS, "--require-complete");
  }

  @Test
  void aFileComesFromStdinToo() throws IOException {
    String typed = Files.readString(Path.of(SOURCE), UTF_8);

    assertThat(runTyping(typed, NOT_COMPLETE, "replay", "-"))
        .contains("task_00000 replayed: 17 events");
  }

  @Test
  void wrongUseIsExplained() {
    assertThat(run(USAGE, "replay").err())
        .contains("Give a file to replay, or the id of a task or session.");
    assertThat(run(USAGE, "replay", directory.resolve("none").toString()).err())
        .contains("can't be read");
    assertThat(run(USAGE, "replay", SOURCE, "--keys", SOURCE).err()).contains("is rejected");
    assertThat(run(USAGE, "replay", "record", "task_1").err()).contains("--output");
    assertThat(run(0, "replay", "--help").out())
        .contains("record", "FILE|TASK|SESSION", "--url", "This proves what was recorded");
    assertThat(run(0, "replay", "record", "--help").out()).contains("--output", "--url");
  }

  private static List<JsonNode> json(int exitCode, String... more) {
    List<String> arguments = new ArrayList<>(List.of("replay", "--json"));
    arguments.addAll(List.of(more));
    return run(exitCode, arguments.toArray(String[]::new))
        .out()
        .lines()
        .map(line -> JsonLines.parse(line).orElseThrow())
        .toList();
  }
}
