package dev.bridle.proof.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.proof.sample.Runtimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fixtures on disk are those that the program makes, and others replay them alike. */
final class ReplayFixturesTest {
  /** Written by people. */
  private static final Set<String> BY_HAND = Set.of("README.md", "replay.mjs", "replay.py");

  private static final int NO_LIBRARY = 3;

  @TempDir private Path directory;

  @Test
  void theFilesAreThoseThatTheProgramMakes() throws IOException {
    Map<String, byte[]> made = ReplayFixtures.files();

    Set<String> expected = new TreeSet<>(made.keySet());
    expected.addAll(BY_HAND);
    try (Stream<Path> files = Files.list(ReplayFixtures.FOLDER)) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .map(file -> file.getFileName().toString())
                  .collect(Collectors.toSet()))
          .isEqualTo(expected);
    }
    for (Map.Entry<String, byte[]> file : made.entrySet()) {
      assertThat(Files.readAllBytes(ReplayFixtures.FOLDER.resolve(file.getKey())))
          .as(file.getKey())
          .isEqualTo(file.getValue());
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"node,replay.mjs", "python3,replay.py"})
  void anotherLanguageMakesTheSameSegmentReceipt(String program, String script) throws Exception {
    Path segment = directory.resolve("segment.json");

    Runtimes.Result result =
        run(program, script, ReplayFixtures.FOLDER.resolve(ReplayFixtures.SOURCE), segment);

    assertThat(result.code()).as("%s", result.lines()).isZero();
    assertThat(Files.readAllBytes(segment))
        .isEqualTo(ReplayFixtures.files().get(ReplayFixtures.SEGMENT));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"node,replay.mjs", "python3,replay.py"})
  void anotherLanguageRefusesAnAlteredLog(String program, String script) throws Exception {
    Path source = directory.resolve("source.jsonl");
    Files.writeString(
        source,
        Files.readString(ReplayFixtures.FOLDER.resolve(ReplayFixtures.SOURCE))
            .replace("agent.message", "user.message"));

    Runtimes.Result result = run(program, script, source, directory.resolve("segment.json"));

    assertThat(result.code()).isOne();
    assertThat(result.lines()).anyMatch(line -> line.contains("replay_diverged: log_digest"));
    assertThat(directory.resolve("segment.json")).doesNotExist();
  }

  private static Runtimes.Result run(String program, String script, Path source, Path segment)
      throws Exception {
    Runtimes.require(program);
    Runtimes.Result result =
        Runtimes.run(
            List.of(
                program,
                ReplayFixtures.FOLDER.resolve(script).toString(),
                "--keys",
                ReplayFixtures.FOLDER.resolve(ReplayFixtures.KEYS).toString(),
                source.toString(),
                segment.toString()));
    if (result.code() == NO_LIBRARY) {
      System.out.println("Skipped: " + program + " has neither PyNaCl nor cryptography.");
    }
    assumeTrue(result.code() != NO_LIBRARY, "no library for Ed25519");
    return result;
  }
}
