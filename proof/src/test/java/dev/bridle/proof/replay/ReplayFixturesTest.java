package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.proof.sample.Runtimes;
import dev.bridle.proof.sample.SampleTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fixtures on disk are those that the program makes, and others replay them alike. */
final class ReplayFixturesTest {
  /** Written by people. */
  private static final Set<String> BY_HAND = Set.of("README.md", "replay.mjs", "replay.py");

  @TempDir private Path directory;

  @Test
  void theFilesAreThoseThatTheProgramMakes() throws IOException {
    Map<String, byte[]> made = ReplayFixtures.files();

    Set<String> expected = new TreeSet<>(made.keySet());
    expected.addAll(BY_HAND);
    try (Stream<Path> files = Files.walk(ReplayFixtures.FOLDER)) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .map(file -> ReplayFixtures.FOLDER.relativize(file).toString())
                  .collect(Collectors.toSet()))
          .isEqualTo(expected);
    }
    for (Map.Entry<String, byte[]> file : made.entrySet()) {
      assertThat(Files.readAllBytes(ReplayFixtures.FOLDER.resolve(file.getKey())))
          .as(file.getKey())
          .isEqualTo(file.getValue());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherLanguageMakesTheSameSegmentReceipt(ReplayProgram program) throws Exception {
    Path segment = directory.resolve("segment.json");

    Runtimes.Result result =
        program.run(ReplayFixtures.FOLDER.resolve(ReplayFixtures.SOURCE), segment);

    assertThat(result.code()).as("%s", result.lines()).isZero();
    assertThat(Files.readAllBytes(segment))
        .isEqualTo(ReplayFixtures.files().get(ReplayFixtures.SEGMENT));
  }

  @ParameterizedTest
  @EnumSource
  void anotherLanguageMakesTheSegmentReceiptOfAHandlerThatDidTheSame(ReplayProgram program)
      throws Exception {
    SampleTask task = SampleTask.completed();
    LogReplay replay =
        new LogReplay(
            SampleTask.signed(task.draft()),
            new SegmentRequest(
                SegmentRequest.Depth.EXECUTE, OptionalLong.empty(), Optional.empty()));
    task.lines().forEach(line -> replay.add(line.getBytes(UTF_8)));
    Path request = Files.writeString(directory.resolve("request.json"), "{\"depth\":\"execute\"}");
    Path segment = directory.resolve("segment.json");

    Runtimes.Result result =
        program.run(
            List.of("--request", request.toString()),
            ReplayFixtures.FOLDER.resolve(ReplayFixtures.SOURCE),
            segment);

    assertThat(result.code()).as("%s", result.lines()).isZero();
    assertThat(Files.readAllBytes(segment))
        .isEqualTo(replay.finish().segment().orElseThrow().unsigned().bytes());
  }

  @ParameterizedTest
  @EnumSource
  void anotherLanguageRefusesAnAlteredLog(ReplayProgram program) throws Exception {
    Path source = directory.resolve("source.jsonl");
    Files.writeString(
        source,
        Files.readString(ReplayFixtures.FOLDER.resolve(ReplayFixtures.SOURCE))
            .replace("agent.message", "user.message"));

    Runtimes.Result result = program.run(source, directory.resolve("segment.json"));

    assertThat(result.code()).isOne();
    assertThat(result.lines()).anyMatch(line -> line.contains("replay_diverged: log_digest"));
    assertThat(directory.resolve("segment.json")).doesNotExist();
  }
}
