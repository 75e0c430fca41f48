package dev.bridle.cli.receipt;

import static dev.bridle.cli.process.Commands.run;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.proof.bundle.BundleReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No test here has a server or a data directory. */
final class VerifyCommandTest {
  private static final Path FIXTURES = Path.of("..", "fixtures", "receipts");
  private static final String KEYS = FIXTURES.resolve("keys.json").toString();
  private static final String WHOLE = FIXTURES.resolve("chains/whole.jsonl").toString();
  private static final String FIRST = FIXTURES.resolve("valid/first.json").toString();
  private static final int NOT_VALID = 8;
  private static final int NOT_COMPLETE = 9;
  private static final int USAGE = 2;

  @TempDir private Path directory;

  static Stream<JsonNode> singles() throws IOException {
    return index().filter(entry -> entry.has("not_checked"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("singles")
  void aReceiptOfTheFixturesIsJudgedAsTheirIndexSays(JsonNode fixture) {
    String file = FIXTURES.resolve(fixture.get("file").textValue()).toString();
    boolean isValid = !fixture.has("failed");
    List<String> checks = new ArrayList<>();
    fixture.get("not_checked").forEach(check -> checks.add(check.textValue()));

    String text = run(isValid ? 0 : NOT_VALID, "receipt", "verify", file, "--keys", KEYS).out();
    JsonNode line = verifyJson(isValid ? 0 : NOT_VALID, file, "--keys", KEYS).get(0);

    assertThat(text.lines().findFirst().orElseThrow())
        .startsWith(file)
        .contains(isValid ? ": valid" : ": invalid: " + fixture.get("failed").textValue() + ": ")
        .endsWith(checks.isEmpty() ? "" : "; not checked: " + String.join(", ", checks));
    assertThat(line.get("valid").booleanValue()).isEqualTo(isValid);
    assertThat(line.get("complete").booleanValue()).isEqualTo(isValid && checks.isEmpty());
    assertThat(line.get("failed").findValuesAsText("check"))
        .isEqualTo(isValid ? List.of() : List.of(fixture.get("failed").textValue()));
    assertThat(line.get("not_checked").findValuesAsText("check")).isEqualTo(checks);
  }

  static Stream<JsonNode> chains() throws IOException {
    // Each session has a chain of its own here, so that its receipts may stand between others.
    return index()
        .filter(entry -> entry.has("faults"))
        .filter(entry -> !entry.get("file").textValue().endsWith("other-session.jsonl"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("chains")
  void aChainOfTheFixturesHasTheFaultsOfTheirIndex(JsonNode fixture) {
    String file = FIXTURES.resolve(fixture.get("file").textValue()).toString();
    boolean isWhole = fixture.get("faults").isEmpty();
    int exitCode = isWhole ? NOT_COMPLETE : NOT_VALID;

    List<JsonNode> lines = verifyJson(exitCode, file, "--keys", KEYS, "--chain");
    String text = run(exitCode, "receipt", "verify", file, "--keys", KEYS, "--chain").out();

    JsonNode chain = lines.get(lines.size() - 2);
    assertThat(chain.get("whole").booleanValue()).isEqualTo(isWhole);
    assertThat(chain.get("faults").findValuesAsText("kind"))
        .isEqualTo(fixture.get("faults").findValuesAsText("kind"));
    for (JsonNode fault : fixture.get("faults")) {
      JsonNode receipt = lines.get(fault.get("position").intValue());
      String kind = fault.get("kind").textValue();
      assertThat(receipt.get("valid").booleanValue()).isFalse();
      assertThat(receipt.get("failed").findValuesAsText("check"))
          .containsExactly(kind.equals("broken_receipt") ? "hash" : kind);
      assertThat(text).contains("invalid: " + kind);
    }
  }

  @Test
  void evidenceWithoutItsSignedEndIsNotProvenToBeWhole() {
    assertThat(run(NOT_COMPLETE, "receipt", "verify", "--evidence", FIRST, "--keys", KEYS).out())
        .contains(FIRST + ": not checked: end: ");
  }

  @Test
  void anExportUpToItsSignedEndIsValid() {
    String file = FIXTURES.resolve("cases/true.jsonl").toString();
    String keys = FIXTURES.resolve("cases/keys-current.json").toString();

    String out =
        run(0, "receipt", "verify", file, "--keys", keys, "--chain", "--require-complete").out();

    assertThat(out.lines())
        .hasSize(6)
        .startsWith(file + ":3 receipt_00000: valid", file + ":4 receipt_00001: valid")
        .endsWith(
            "chain of session session_1: 3 receipts, valid, whole up to its signed end",
            "3 valid, 0 consistent, 0 not valid.",
            "Every check was made.");
  }

  @Test
  void aChainWhoseEndNobodyHasSignedIsConsistentAndMayBeAccepted() {
    String[] command = {"receipt", "verify", WHOLE, "--keys", KEYS, "--chain"};

    assertThat(run(NOT_COMPLETE, command).out())
        .contains("chain of session session_1: 6 receipts, consistent, whole up to the last of")
        .contains("Whether receipts are missing at the end is not known");
    assertThat(run(0, with(command, "--accept-unproven")).out())
        .isEqualTo(run(NOT_COMPLETE, command).out());
    assertThat(run(NOT_COMPLETE, with(with(command, "--accept-unproven"), "--require-complete")))
        .isNotNull();
  }

  @Test
  void whatWasNotCheckedIsNamedAndFailsOnlyIfAllIsRequired() {
    String[] alone = {"receipt", "verify", WHOLE, "--keys", KEYS};

    assertThat(run(0, alone).out().lines())
        .startsWith(
            WHOLE + ":1 receipt_00000: valid",
            WHOLE + ":2 receipt_00001: valid; not checked: link, merkle_root")
        .endsWith("Not checked everywhere: link, merkle_root.");
    assertThat(run(NOT_COMPLETE, with(alone, "--require-complete")).out())
        .isEqualTo(run(0, alone).out());
  }

  @Test
  void withoutKeysNothingIsSaidToBeValid() {
    String[] command = {"receipt", "verify", FIRST};

    assertThat(run(NOT_COMPLETE, command).out())
        .startsWith(FIRST + " receipt_00000: consistent; not checked: signature, origin\n")
        .contains("0 valid, 1 consistent, 0 not valid.")
        .contains("Who issued the receipts is not proven");
    assertThat(run(0, with(command, "--accept-unproven")).out()).contains("consistent");
    String changed = FIXTURES.resolve("invalid/changed-cost.json").toString();
    assertThat(run(NOT_VALID, "receipt", "verify", changed, "--accept-unproven").out())
        .contains("invalid: hash");
  }

  @Test
  void noLinkCountsAsCheckedInAChainWithFaults() {
    String dropped = FIXTURES.resolve("chains/dropped.jsonl").toString();

    String out = run(NOT_VALID, "receipt", "verify", dropped, "--keys", KEYS, "--chain").out();

    assertThat(out)
        .contains(dropped + ":4 receipt_00004: invalid: dropped: ")
        .contains(dropped + ":5 receipt_00005: valid; not checked: link, merkle_root");
  }

  @Test
  void receiptsAreFoundInEveryKindOfLine() throws IOException {
    List<String> receipts = Files.readAllLines(Path.of(WHOLE));
    String file =
        write(
            "mixed",
            receipts.get(0),
            "",
            typed("receipt", receipts.get(1)),
            "{\"object\":\"receipt\",\"wire\":{\"payload\":" + receipts.get(2) + "}}");

    String out = run(NOT_COMPLETE, "receipt", "verify", file, "--keys", KEYS, "--chain").out();

    assertThat(out.lines())
        .startsWith(
            file + ":1 receipt_00000: valid",
            file + ":3 receipt_00001: valid",
            file + ":4 receipt_00002: valid");
  }

  @Test
  void aFileWithOneReceiptMayBeAResource() throws IOException {
    String file =
        write("r.json", "{\n\"wire\":{\n\"payload\":" + Files.readString(Path.of(FIRST)) + "}}");

    assertThat(run(0, "receipt", "verify", file, "--keys", KEYS).out())
        .startsWith(file + " receipt_00000: valid\n");
  }

  @Test
  void keysOfTheSameFileProveConsistencyOnly() throws IOException {
    String bundle = bundle("b.jsonl");

    String out = run(NOT_COMPLETE, "receipt", "verify", bundle, "--chain").out();

    assertThat(out)
        .contains(bundle + ":3 receipt_00000: consistent; not checked: origin\n")
        .contains("Not checked everywhere: end, origin.")
        .contains("Who issued the receipts is not proven");
    assertThat(run(0, "receipt", "verify", bundle, "--chain", "--accept-unproven").out())
        .isEqualTo(out);
  }

  @Test
  void trustedKeysConfirmABundle() throws IOException {
    String bundle = bundle("b.jsonl");

    assertThat(run(NOT_COMPLETE, "receipt", "verify", bundle, "--keys", KEYS, "--chain").out())
        .contains("6 valid, 0 consistent, 0 not valid.", "Not checked everywhere: end.")
        .doesNotContain("warning");
  }

  @Test
  void keysOfABundleDoNotCountBesideTrustedOnes() throws IOException {
    String bundle = bundle("b.jsonl");
    String trusted = FIXTURES.resolve("cases/keys-foreign.json").toString();

    String out = run(NOT_VALID, "receipt", "verify", bundle, "--keys", trusted, "--chain").out();

    assertThat(out)
        .contains(bundle + ":2: warning: 6 of 6 keys are not in --keys")
        .contains(bundle + ":3 receipt_00000: invalid: signature: the key ");
    assertThat(verifyJson(NOT_VALID, bundle, "--keys", trusted).get(0).get("type").textValue())
        .isEqualTo("warning");
  }

  @Test
  void aKeyOfABundleWithAnotherValidityIsNamed() throws IOException {
    String revoked =
        Files.readString(Path.of(KEYS)).replace("\"reason\":\"superseded\"", "\"reason\":\"x\"");
    String bundle = write("b.jsonl", typed("key_set", revoked), Files.readString(Path.of(FIRST)));

    assertThat(run(0, "receipt", "verify", bundle, "--keys", KEYS).out())
        .contains(":1: warning: 1 of 6 keys");
  }

  @Test
  void keysOfOneFileDoNotCountForAnother() throws IOException {
    String bundle = bundle("b.jsonl");
    String out = run(NOT_COMPLETE, "receipt", "verify", bundle, FIRST, "--chain").out();

    assertThat(out)
        .contains(FIRST + " receipt_00000: consistent; not checked: signature, origin\n")
        .contains("chain of session session_1: 6 receipts, consistent")
        .contains("chain of session session_1: 1 receipt, consistent");
  }

  @Test
  void aChainSpansFilesThatTheSameKeysVerify() throws IOException {
    List<String> receipts = Files.readAllLines(Path.of(WHOLE));
    String one = write("1.json", receipts.get(0));
    String two = write("2.jsonl", receipts.get(1), receipts.get(2));

    assertThat(run(NOT_COMPLETE, "receipt", "verify", one, two, "--keys", KEYS, "--chain").out())
        .contains("3 receipts, consistent, whole");
    assertThat(run(NOT_VALID, "receipt", "verify", two, one, "--keys", KEYS, "--chain").out())
        .contains(two + ":1 receipt_00001: invalid: swapped: ");
  }

  @Test
  void eachSessionHasAChainOfItsOwn() {
    String both = FIXTURES.resolve("cases/two-sessions.jsonl").toString();
    String keys = FIXTURES.resolve("cases/keys-current.json").toString();

    assertThat(
            run(0, "receipt", "verify", both, "--keys", keys, "--chain", "--require-complete")
                .out())
        .contains("chain of session session_1: 3 receipts, valid, whole")
        .contains("chain of session session_2: 1 receipt, valid, whole");
  }

  @Test
  void theReceiptOfAReplayIsNoLinkOfTheChain() throws IOException {
    String replay = Files.readString(FIXTURES.resolve("valid/replay.json"));
    String file = write("r.jsonl", Files.readString(Path.of(FIRST)), replay);

    assertThat(
            run(NOT_COMPLETE, "receipt", "verify", file, "--keys", KEYS, "--chain").out().lines())
        .startsWith(
            file + ":1 receipt_00000: valid", file + ":2 receipt_00000: valid; not checked: link");
  }

  @Test
  void linesThatCannotBeReadAreNotValidAndDoNotStopTheOthers() throws IOException {
    String keys = Files.readString(Path.of(KEYS));
    String first = Files.readString(Path.of(FIRST));
    String file =
        write(
            "b.jsonl",
            typed("key_set", "{\"keys\":[]}"),
            "{\"type\":\"header\"}",
            " ".repeat(BundleReader.MAX_LINE_BYTES + 1),
            typed("receipt", "1"),
            typed("key_set", keys),
            first);

    String out = run(NOT_VALID, "receipt", "verify", file, "--chain").out();

    assertThat(out)
        .contains(file + ":2: invalid: line: a header can only be the first line")
        .contains(file + ":3: invalid: line: it has more than ")
        .contains(file + ":4: invalid: line: `receipt` is no object")
        .contains(file + ":5: invalid: line: a key set stands once")
        .contains(file + ":6 receipt_00000: consistent; not checked: signature, origin")
        .contains("0 valid, 1 consistent, 4 not valid.");
    JsonNode line = verifyJson(NOT_VALID, file).get(0);
    assertThat(line.get("type").textValue()).isEqualTo("line");
    assertThat(line.has("valid")).isFalse();
  }

  @Test
  void aKeySetBehindReceiptsIsNotValid() throws IOException {
    String keys = Files.readString(Path.of(KEYS));
    String file = write("b.jsonl", Files.readString(Path.of(FIRST)), typed("key_set", keys));

    assertThat(run(NOT_VALID, "receipt", "verify", file).out())
        .contains(file + ":1 receipt_00000: consistent; not checked: signature, origin\n")
        .contains(file + ":2: invalid: line: a key set stands once");
  }

  @Test
  void aKeySetThatIsRejectedIsNotValid() throws IOException {
    String file =
        write(
            "b.jsonl",
            typed("key_set", Files.readString(FIXTURES.resolve("key-sets/refused/no-x.json"))),
            Files.readString(Path.of(FIRST)));

    assertThat(run(NOT_VALID, "receipt", "verify", file).out())
        .contains(file + ":1: invalid: line: the key set is rejected: ")
        .contains(file + ":2 receipt_00000: consistent; not checked: signature, origin\n");
  }

  @Test
  void linesOfUnknownTypesAreNotChecked() throws IOException {
    String file =
        write("b.jsonl", Files.readString(Path.of(FIRST)), typed("evi\\u001bdence", "{}"));
    String[] command = {"receipt", "verify", file, "--keys", KEYS};

    assertThat(run(NOT_COMPLETE, command).out())
        .contains(file + ":2: not checked: line: lines of type `evi\\u{1b}dence` can't be")
        .contains("1 valid, 0 consistent, 0 not valid.", "Not checked everywhere: line.");
    assertThat(run(NOT_COMPLETE, with(command, "--accept-unproven")).out()).isNotEmpty();
  }

  @Test
  void linesAreReadFromStdin() throws IOException {
    InputStream stdin = System.in;
    System.setIn(new ByteArrayInputStream(Files.readAllBytes(Path.of(WHOLE))));
    try {
      assertThat(run(NOT_COMPLETE, "receipt", "verify", "-", "--keys", KEYS, "--chain").out())
          .startsWith("-:1 receipt_00000: valid\n")
          .contains("6 valid, 0 consistent, 0 not valid.");
    } finally {
      System.setIn(stdin);
    }
  }

  @Test
  void aFileThatCannotBeReadIsNoProof() throws IOException {
    String missing = directory.resolve("missing.json").toString();
    String empty = write("empty.jsonl", typed("key_set", "{\"keys\":[]}"));

    var said = run(USAGE, "receipt", "verify", missing, empty, FIRST, "--keys", KEYS);

    assertThat(said.err())
        .contains("bridle: " + missing + " can't be read: ")
        .contains("bridle: " + empty + " has no receipts.");
    assertThat(said.out())
        .contains(FIRST + " receipt_00000: valid\n", "Not checked everywhere: file.");
    assertThat(run(USAGE, "receipt", "verify", directory.toString()).err())
        .contains("can't be read");
  }

  @Test
  void whatIsNotValidCountsMoreThanAFileThatCannotBeRead() {
    String invalid = FIXTURES.resolve("invalid/changed-cost.json").toString();
    String missing = directory.resolve("missing.json").toString();

    assertThat(run(NOT_VALID, "receipt", "verify", missing, invalid).err()).contains("missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"no JSON", "{}", "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\"}]}"})
  void keysThatAreNoKeySetAreRejected(String keys) throws IOException {
    String file = write("keys.json", keys);

    assertThat(run(USAGE, "receipt", "verify", FIRST, "--keys", file).err())
        .contains("bridle: The key set " + file + " is rejected: ");
  }

  @Test
  void keysThatAreTooLargeOrMissingOrNoneAreRejected() throws IOException {
    String none = write("empty.json", "{\"keys\":[]}");
    assertThat(run(USAGE, "receipt", "verify", FIRST, "--keys", none).err())
        .contains("has no Ed25519 key", "bridle receipt keys");
    String large = write("keys.json", "{\"keys\":[]}" + " ".repeat(1 << 20));
    String missing = directory.resolve("none.json").toString();

    assertThat(run(USAGE, "receipt", "verify", FIRST, "--keys", large).err())
        .contains("is rejected: ");
    assertThat(run(USAGE, "receipt", "verify", FIRST, "--keys", missing).err())
        .contains("bridle: The key set " + missing + " can't be read: ");
  }

  @Test
  void theHelpHasAnExampleAndTheExitCodes() {
    assertThat(run(0, "receipt", "verify", "--help").out())
        .contains("bridle receipt verify receipt.json --keys keys.json");
    assertThat(run(0, "--help").out())
        .contains("receipt")
        .contains("8   a receipt is not valid", "9   nothing failed, but");
  }

  private static Stream<JsonNode> index() throws IOException {
    return read("index.json");
  }

  private static Stream<JsonNode> read(String list) throws IOException {
    JsonNode entries = JsonLines.parse(Files.readString(FIXTURES.resolve(list))).orElseThrow();
    return StreamSupport.stream(entries.spliterator(), false);
  }

  /** Verifies files and returns the lines of JSON that were printed. */
  private static List<JsonNode> verifyJson(int exitCode, String... arguments) {
    List<String> command = new ArrayList<>(List.of("receipt", "verify", "--json"));
    command.addAll(List.of(arguments));
    return run(exitCode, command.toArray(String[]::new))
        .out()
        .lines()
        .map(line -> JsonLines.parse(line).orElseThrow())
        .toList();
  }

  private static String[] with(String[] command, String more) {
    return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
  }

  /** Writes an export of the whole chain with all keys. */
  private String bundle(String name) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("{\"format\":\"x\",\"type\":\"header\"}");
    lines.add(typed("key_set", Files.readString(Path.of(KEYS))));
    Files.readAllLines(Path.of(WHOLE)).forEach(receipt -> lines.add(typed("receipt", receipt)));
    return write(name, lines.toArray(String[]::new));
  }

  private static String typed(String type, String json) {
    return "{\"" + type + "\":" + json.strip() + ",\"type\":\"" + type + "\"}";
  }

  private String write(String name, String... lines) throws IOException {
    Path file = directory.resolve(name);
    Files.write(file, String.join("\n", lines).getBytes(UTF_8));
    return file.toString();
  }
}
