package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.sample.Runtimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs of other languages make and check the receipt of a replay with overrides. */
final class OverriddenFixturesTest {
  private static final Path FOLDER = ReplayFixtures.FOLDER.resolve(ReplayFixtures.OVERRIDDEN);
  private static final Path SOURCE = FOLDER.resolve(ReplayFixtures.SOURCE);
  private static final String OTHER = "sha256:" + "d".repeat(64);

  @TempDir private Path directory;

  /** A change, and the check that finds it. */
  private record Wrong(String check, Consumer<ObjectNode> change) {
    @Override
    public String toString() {
      return check;
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSameRunMakesTheSameSegmentReceiptInAnotherLanguage(ReplayProgram program)
      throws Exception {
    Path made = directory.resolve("segment.json");

    Runtimes.Result result =
        program.run(
            List.of("--request", request(), "--run", file(ReplayFixtures.RUN)), SOURCE, made);

    assertThat(result.code()).as("%s", result.lines()).isZero();
    assertThat(made).hasSameBinaryContentAs(FOLDER.resolve(ReplayFixtures.SEGMENT));
  }

  @ParameterizedTest
  @EnumSource
  void aSegmentIsCheckedWithoutItsRun(ReplayProgram program) throws Exception {
    Path segment = FOLDER.resolve(ReplayFixtures.SEGMENT);
    byte[] before = Files.readAllBytes(segment);

    Runtimes.Result result = program.run(List.of("--request", request()), SOURCE, segment);

    assertThat(result.code()).as("%s", result.lines()).isZero();
    assertThat(result.lines()).anyMatch(line -> line.contains("19 events, 2 overridden"));
    assertThat(Files.readAllBytes(segment)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void theEndOfARunThatFailedIsThatOfItsSegment(ReplayProgram program) throws Exception {
    ObjectNode run = OverriddenFixture.run();
    run.put("final_state", "FAILED").put("failure_code", "not_asked").putArray("artifacts");
    Receipt segment = OverriddenFixture.segment(run);
    assertThat(segment.json().at("/lifecycle/final_state").textValue()).isEqualTo("FAILED");

    Runtimes.Result result = checked(program, segment);

    assertThat(result.code()).as("%s", result.lines()).isZero();
  }

  /** Segments with a right hash and a right seed, of runs that were other than they say. */
  static Stream<Arguments> wrongRuns() {
    return each(
        new Wrong("override: before_sha256", run -> first(run).put("before_sha256", OTHER)),
        new Wrong("override: before_sha256", run -> first(run).remove("before_sha256")),
        new Wrong("override: after_sha256", run -> first(run).put("after_sha256", OTHER)),
        new Wrong("override: reason", run -> first(run).put("reason", "another one")),
        new Wrong("override: reason", run -> first(run).remove("reason")),
        new Wrong("override: kind", run -> first(run).put("kind", "tool_result")),
        new Wrong("override: delta_id", run -> first(run).put("delta_id", "delta_1")),
        new Wrong("override: artifact_id", run -> first(run).put("artifact_id", "artifact_1")),
        new Wrong("override: event_id", run -> second(run).put("event_id", "event_1")),
        new Wrong("override: key", run -> second(run).put("key", "llm:main:2")),
        new Wrong("override: key", run -> overrides(run).add(overrides(run).remove(0))),
        new Wrong(
            "final_artifacts",
            run -> ((ObjectNode) run.at("/artifacts/1")).put("artifact_id", "artifact_2")));
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource
  void wrongRuns(ReplayProgram program, Wrong wrong) throws Exception {
    ObjectNode run = OverriddenFixture.run();
    wrong.change.accept(run);

    Runtimes.Result result = checked(program, OverriddenFixture.segment(run));

    assertRefused(result, wrong.check);
  }

  /** Segments of the right run that say something else, with a hash that fits. */
  static Stream<Arguments> wrongSegments() {
    return each(
        new Wrong("segment", segment -> segment.put("receipt_id", "receipt_1")),
        new Wrong("segment", segment -> segment.withObject("/subject").put("id", "replay_1")),
        new Wrong(
            "segment", segment -> segment.withObject("/metadata/bridle.replay").put("seed", OTHER)),
        new Wrong(
            "segment", segment -> ((ObjectNode) segment.at("/deltas/0")).put("path", "/cost")),
        new Wrong(
            "segment",
            segment -> ((ObjectNode) segment.at("/replay_input/materials/1")).put("sha256", OTHER)),
        new Wrong(
            "segment", segment -> segment.withObject("/lifecycle").put("final_state", "FAILED")),
        new Wrong("segment", segment -> segment.withArrayProperty("redactions").removeAll()),
        new Wrong("segment", segment -> segment.withObject("/metadata").remove("bridle.replay")));
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource
  void wrongSegments(ReplayProgram program, Wrong wrong) throws Exception {
    ObjectNode segment = OverriddenFixture.segment(OverriddenFixture.run()).json().deepCopy();
    wrong.change.accept(segment);

    Runtimes.Result result = checked(program, Receipt.unsigned(segment));

    assertRefused(result, wrong.check);
  }

  @ParameterizedTest
  @EnumSource
  void aSegmentWhoseHashIsNotItsOwnIsRefused(ReplayProgram program) throws Exception {
    String text =
        Files.readString(FOLDER.resolve(ReplayFixtures.SEGMENT))
            .replace("a careful answer", "a careless answer");

    Runtimes.Result result = checked(program, text.getBytes(UTF_8));

    assertRefused(result, "hash");
  }

  private static Stream<Arguments> each(Wrong... all) {
    return Stream.of(ReplayProgram.values())
        .flatMap(program -> Stream.of(all).map(wrong -> Arguments.of(program, wrong)));
  }

  private static ArrayNode overrides(ObjectNode run) {
    return run.withArrayProperty("overrides");
  }

  private static ObjectNode first(ObjectNode run) {
    return (ObjectNode) overrides(run).get(0);
  }

  private static ObjectNode second(ObjectNode run) {
    return (ObjectNode) overrides(run).get(1);
  }

  private static String file(String name) {
    return FOLDER.resolve(name).toString();
  }

  private static String request() {
    return file(ReplayFixtures.REQUEST);
  }

  private Runtimes.Result checked(ReplayProgram program, Receipt segment) throws Exception {
    return checked(program, segment.bytes());
  }

  private Runtimes.Result checked(ReplayProgram program, byte[] segment)
      throws IOException, InterruptedException {
    Path file = Files.write(directory.resolve("segment.json"), segment);
    return program.run(List.of("--request", request()), SOURCE, file);
  }

  @ParameterizedTest
  @EnumSource(ReplayProgram.class)
  void whatTheProgramsCanNotMakeIsWrongUse(ReplayProgram program) throws Exception {
    for (String rest :
        List.of(
            "\"refresh\":[\"llm:1\"]",
            "\"override\":{\"secret:token\":{\"kind\":\"secret_value\",\"sha256\":\""
                + OTHER
                + "\"}}")) {
      Path request =
          Files.writeString(
              directory.resolve("request.json"), "{\"mode\":\"with_overrides\"," + rest + "}");
      Path segment = FOLDER.resolve(ReplayFixtures.SEGMENT);

      Runtimes.Result result =
          program.run(List.of("--request", request.toString()), SOURCE, segment);

      assertThat(result.code()).as("%s %s", rest, result.lines()).isEqualTo(2);
    }
  }

  private static void assertRefused(Runtimes.Result result, String check) {
    assertThat(result.code()).as("%s", result.lines()).isOne();
    assertThat(result.lines())
        .singleElement()
        .asString()
        .contains("source.jsonl: refused: " + check + " (");
  }
}
