package dev.bridle.cli.handler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random handlers on a real server that get other values for random steps of theirs. */
@Tag("slow")
final class RandomOverridesIT extends ReplayedHandlers {
  private static final int FEW = 6;
  private static final int MANY = 200;

  @Test
  void whatDiffersIsWhatDependsOnTheOverrides() {
    overridden(0, FEW);
  }

  @Test
  void whatDiffersIsWhatDependsOnTheOverridesOfManyHandlers() {
    overridden(FEW, MANY);
  }

  @Test
  void recordedValuesInstalledAgainChangeNothing() {
    unchanged(0, FEW / 2);
  }

  @Test
  void recordedValuesOfManyHandlersInstalledAgainChangeNothing() {
    unchanged(FEW / 2, MANY / 4);
  }

  private static void overridden(int from, int to) {
    List<String> ends = new ArrayList<>();
    for (int seed = from; seed < to; seed++) {
      LinkedWork work = new LinkedWork(seed);
      ForeseenWork original = ForeseenWork.inTask(work);
      String task = run(work, original.status());
      int computed = work.computed();
      Map<String, Long> overrides = random(new Random(seed), original);
      ForeseenWork expected = original.replayedWith(overrides);
      String what = "seed " + seed + " with " + overrides;

      JsonNode first = replayed(task, request(overrides), work);
      JsonNode second = replayed(task, request(overrides), work);

      assertThat(work.computed()).as(what).isEqualTo(computed);
      if (expected.broken().isEmpty()) {
        assertChanged(what, expected, overrides, first);
        assertThat(segmentText(second)).as(what).isEqualTo(segmentText(first));
        ends.add(expected.differences().get("count").asInt() > 0 ? "changed" : "same");
      } else {
        assertBroken(what, expected, first);
        assertBroken(what, expected, second);
        ends.add("broken");
      }
    }
    assertThat(ends).as("not all alike").contains("changed", "broken");
  }

  private static void unchanged(int from, int to) {
    for (int seed = from; seed < to; seed++) {
      LinkedWork work = new LinkedWork(seed);
      ForeseenWork original = ForeseenWork.inTask(work);
      String task = run(work, original.status());
      Map<String, Long> recorded = new TreeMap<>();
      original.values().forEach(key -> recorded.put(key, work.made(key)));

      JsonNode exact = replayed(task, work);
      JsonNode replay = replayed(task, request(recorded), work);

      assertThat(payload(exact, "replay.completed").get("final_state").textValue())
          .as("seed %d", seed)
          .isEqualTo(original.status());
      JsonNode segment = Json.parse(segmentText(replay));
      assertThat(segment.at("/metadata/bridle.replay/differences"))
          .as("seed %d", seed)
          .isEqualTo(Json.parse("{\"added\":[],\"changed\":[],\"not_taken\":[],\"count\":0}"));
      assertThat(segment.get("deltas")).hasSameSizeAs(recorded.keySet());
    }
  }

  private static void assertChanged(
      String what, ForeseenWork expected, Map<String, Long> overrides, JsonNode replay) {
    assertThat(replay.get("status").textValue())
        .as("%s: %s", what, failure(replay))
        .isEqualTo(expected.status());
    JsonNode segment = Json.parse(segmentText(replay));
    assertThat(segment.at("/metadata/bridle.replay/differences"))
        .as(what)
        .isEqualTo(expected.differences());
    assertThat(segment.get("deltas"))
        .as(what)
        .extracting(delta -> delta.get("override_key").textValue())
        .containsExactlyElementsOf(
            overrides.keySet().stream().filter(expected.values()::contains).toList());
  }

  private static void assertBroken(String what, ForeseenWork expected, JsonNode replay) {
    JsonNode failed = payload(replay, "replay.failed");
    assertThat(expected.broken())
        .as("%s: %s", what, failed)
        .anySatisfy(
            (step, code) -> {
              assertThat(failed.get("what").textValue()).startsWith("step " + step + ": ");
              assertThat(failed.get("code").textValue()).isEqualTo(code);
            });
  }

  /** Returns other values for some of what a task has recorded. */
  private static Map<String, Long> random(Random random, ForeseenWork task) {
    List<String> keys = new ArrayList<>(task.values());
    Map<String, Long> overrides = new TreeMap<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      overrides.put(keys.get(random.nextInt(keys.size())), (long) random.nextInt(10));
    }
    return overrides;
  }

  private static ObjectNode request(Map<String, Long> overrides) {
    ObjectNode request = Json.object().put("mode", "with_overrides");
    ObjectNode all = request.putObject("override");
    overrides.forEach(
        (key, value) -> all.putObject(key).put("kind", "event_payload").put("value", value));
    return request;
  }

  /** Returns the bytes of the segment's receipt. */
  private static String segmentText(JsonNode replay) {
    String artifact = payload(replay, "replay.completed").get("artifact_id").textValue();
    return server.client().get("/v1/artifacts/" + artifact + "/content").text();
  }
}
