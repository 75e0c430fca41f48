package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.sample.Runtimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No program replays a log whose receipt the table of cases calls invalid, or without keys. */
final class ReplayCasesTest {
  private static final Path RECEIPTS = Path.of("..", "fixtures", "receipts");
  private static final int RECEIPT_LINE = 2;
  private static final int REFUSED = 1;
  private static final int WRONG_USE = 2;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void aLogWithAReceiptThatIsInvalidIsRefused(ReplayProgram program) throws Exception {
    int cases = 0;
    for (JsonNode one : StrictJson.parse(Files.readAllBytes(RECEIPTS.resolve("cases.json")))) {
      String verdict = one.path("verdict").asText();
      if (one.path("chain").asBoolean() || !List.of("invalid", "usage").contains(verdict)) {
        continue;
      }
      Path keys = RECEIPTS.resolve(one.path("keys").asText());
      Runtimes.Result result = program.run(keys, List.of(), log(one.path("file").asText()));

      assertThat(result.code())
          .as(one.path("name").asText() + ": " + result.lines())
          .isEqualTo(verdict.equals("usage") ? WRONG_USE : REFUSED);
      cases++;
    }
    assertThat(cases).isGreaterThan(5);
  }

  private Path log(String receipt) throws IOException {
    List<String> lines = Files.readAllLines(ReplayFixtures.FOLDER.resolve("source.jsonl"), UTF_8);
    String other = Files.readString(RECEIPTS.resolve(receipt)).strip();
    lines.set(RECEIPT_LINE, "{\"type\":\"receipt\",\"receipt\":" + other + "}");
    return Files.write(directory.resolve("log.jsonl"), lines);
  }
}
