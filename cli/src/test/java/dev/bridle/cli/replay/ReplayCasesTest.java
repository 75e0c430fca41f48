package dev.bridle.cli.replay;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.proof.json.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No log is replayed whose receipt the table of cases calls invalid, or without usable keys. */
final class ReplayCasesTest {
  private static final Path FIXTURES = Path.of("..", "fixtures");
  private static final Path RECEIPTS = FIXTURES.resolve("receipts");
  private static final int RECEIPT_LINE = 2;

  @TempDir private Path directory;

  static Stream<JsonNode> cases() throws IOException {
    JsonNode table = StrictJson.parse(Files.readAllBytes(RECEIPTS.resolve("cases.json")));
    return StreamSupport.stream(table.spliterator(), false)
        .filter(one -> !one.path("chain").asBoolean())
        .filter(one -> List.of("invalid", "usage").contains(one.path("verdict").asText()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void aLogWithAReceiptThatIsInvalidIsNotReplayed(JsonNode one) throws IOException {
    List<String> lines = Files.readAllLines(FIXTURES.resolve("replay/source.jsonl"));
    String other = Files.readString(RECEIPTS.resolve(one.path("file").asText())).strip();
    lines.set(RECEIPT_LINE, "{\"type\":\"receipt\",\"receipt\":" + other + "}");
    Path log = Files.write(directory.resolve("log.jsonl"), lines);
    boolean isUsage = one.path("verdict").asText().equals("usage");

    String out =
        run(
                isUsage ? ExitCodes.USAGE : ExitCodes.RECEIPT_NOT_VALID,
                "replay",
                log.toString(),
                "--keys",
                RECEIPTS.resolve(one.path("keys").asText()).toString())
            .out();

    assertThat(out).doesNotContain(" replayed: ");
  }
}
