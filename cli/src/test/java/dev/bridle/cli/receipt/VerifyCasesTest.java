package dev.bridle.cli.receipt;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.proof.json.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command concludes what the table of cases says, of receipts and of evidence. */
final class VerifyCasesTest {
  private static final Path FIXTURES = Path.of("..", "fixtures", "receipts");
  private static final int NOT_COMPLETE = ExitCodes.RECEIPT_NOT_COMPLETE;
  private static final Map<String, Integer> CODES =
      Map.of(
          "valid",
          ExitCodes.DONE,
          "invalid",
          ExitCodes.RECEIPT_NOT_VALID,
          "consistent",
          NOT_COMPLETE,
          "usage",
          ExitCodes.USAGE);

  @TempDir private Path directory;

  static Stream<JsonNode> cases() throws IOException {
    JsonNode table = StrictJson.parse(Files.readAllBytes(FIXTURES.resolve("cases.json")));
    return StreamSupport.stream(table.spliterator(), false);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void theTableOfCasesHolds(JsonNode one) {
    List<String> words = new ArrayList<>(List.of("receipt", "verify", "--json"));
    words.add(FIXTURES.resolve(one.get("file").textValue()).toString());
    if (one.has("keys")) {
      words.addAll(List.of("--keys", FIXTURES.resolve(one.get("keys").textValue()).toString()));
    }
    if (one.get("chain").booleanValue()) {
      words.add("--chain");
    }
    String verdict = one.get("verdict").textValue();
    String out = run(CODES.get(verdict), words.toArray(String[]::new)).out();

    if (verdict.equals("usage")) {
      assertThat(out).isEmpty();
      return;
    }
    List<JsonNode> lines = out.lines().map(line -> JsonLines.parse(line).orElseThrow()).toList();
    assertThat(lines.get(lines.size() - 1).get("verdict").textValue()).isEqualTo(verdict);
    if (one.has("failed")) {
      assertThat(out).containsPattern("\"(check|kind)\":\"" + one.get("failed").textValue());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void theSingleReceiptsOfTheTableAreJudgedTheSameInEvidence(JsonNode one) throws IOException {
    if (one.get("chain").booleanValue()) {
      return;
    }
    Path bundle = directory.resolve("evidence.jsonl");
    String receipt = Files.readString(FIXTURES.resolve(one.get("file").textValue())).strip();
    Files.writeString(
        bundle,
        "{\"format\":\"bridle.evidence/2\",\"type\":\"header\"}\n"
            + "{\"type\":\"receipt\",\"receipt\":"
            + receipt
            + "}\n");
    List<String> words = new ArrayList<>(List.of("receipt", "verify", "--evidence"));
    words.add(bundle.toString());
    if (one.has("keys")) {
      words.addAll(List.of("--keys", FIXTURES.resolve(one.get("keys").textValue()).toString()));
    }
    int code = CODES.get(one.get("verdict").textValue());

    String out = run(code == 0 ? NOT_COMPLETE : code, words.toArray(String[]::new)).out();

    if (one.has("failed")) {
      assertThat(out).contains("invalid: " + one.get("failed").textValue());
    }
  }
}
