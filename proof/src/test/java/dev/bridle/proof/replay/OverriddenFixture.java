package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.sample.SampleTask;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A task with several recorded values, a request that replaces three of them, and a run that has
 * used two of these: it came to another end before it needed the clock.
 */
final class OverriddenFixture {
  /** Members that are not in order and texts that are not spelled alike, as people write them. */
  static final String REQUEST =
      """
      {
        "mode": "with_overrides",
        "reason": "Would it have asked first?",
        "override": {
          "time:now": {"kind": "time", "value": "2026-01-03T08:00:00Z"},
          "mcp:files/list:1": {
            "kind": "mcp_tool_return",
            "event_id": "event_0000000000000000000000c0",
            "value": ["notes.md", "caf\\u00e9.txt"]
          },
          "llm:main:1": {
            "kind": "llm_provider_response",
            "target": "main",
            "value": {"text": "Ask before you delete.", "model": "sample", "temperature": 0.50},
            "visibility": "internal",
            "reason": "a careful answer"
          }
        }
      }
      """;

  private static final int HALF = 32;
  private static final String OTHER_ARTIFACT = "sha256:" + "c".repeat(64);

  /** Recorded values, with the kind that their event states. */
  private static final List<Recorded> RECORDED =
      List.of(
          new Recorded("llm:main:1", "llm", "llm_provider_response", "an answer of a model"),
          new Recorded("mcp:files/list:1", "mcp", "mcp_tool_return", "a list of files"),
          new Recorded("time:now", "", "host_fact", "a time"));

  private record Recorded(String key, String stated, String kind, String content) {
    String commitment() {
      return Sha256.of(content.getBytes(US_ASCII)).toString();
    }
  }

  private OverriddenFixture() {}

  /** Returns the task: that of the other fixtures, with more recorded values. */
  static SampleTask task() {
    List<SampleTask.Event> events = SampleTask.events();
    for (int i = 1; i < RECORDED.size(); i++) {
      Recorded each = RECORDED.get(i);
      events.add(
          first() + i,
          SampleTask.event(
              "vendor.bridle.dependency_recorded",
              String.format(
                  Locale.ROOT,
                  "'key':'%s','commitment':'%s','size':%d%s",
                  each.key(),
                  each.commitment(),
                  each.content().length(),
                  each.stated().isEmpty() ? "" : ",'kind':'" + each.stated() + "'")));
    }
    return SampleTask.of(events);
  }

  private static int first() {
    List<SampleTask.Event> events = SampleTask.events();
    int at = 0;
    while (!events.get(at).kind().equals("vendor.bridle.dependency_recorded")) {
      at++;
    }
    return at;
  }

  /** Returns the receipt of the task. */
  static Receipt source() {
    ObjectNode draft = task().draft();
    ArrayNode materials = draft.withObject("/replay_input").withArrayProperty("materials");
    JsonNode log = materials.get(0);
    materials.removeAll().add(log);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < RECORDED.size(); i++) {
      Recorded each = RECORDED.get(i);
      ObjectNode material = materials.addObject().put("kind", each.kind()).put("id", each.key());
      material
          .putObject("metadata")
          .put("commitment", each.commitment())
          .put("sequence", first() + i)
          .put("size", each.content().length());
      all.append(new String(CanonicalJson.bytes(material), UTF_8)).append('\n');
    }
    draft
        .withObject("/metadata/bridle.lists/material")
        .put("count", RECORDED.size())
        .put("listed", RECORDED.size())
        .put("sha256", Sha256.of(all.toString().getBytes(UTF_8)).toString());
    doubt(draft);
    return SampleTask.signed(draft);
  }

  /** What is not known of the identifiers stays so in the segment, which has an end of its own. */
  private static void doubt(ObjectNode draft) {
    draft
        .withObject("/metadata")
        .withArrayProperty("bridle.not_reported")
        .add("/identifiers/trace_id")
        .add("/lifecycle/failure");
    for (String field : List.of("/identifiers/trace_id", "/final_artifacts/0/uri")) {
      draft.withArrayProperty("redactions").addObject().put("field", field).put("reason", "sample");
    }
  }

  /** Returns what a server keeps of the run, which may be changed. */
  static ObjectNode run() {
    ObjectNode run = JsonNodeFactory.instance.objectNode();
    used(run, 0, "event_0000000000000000000000b0");
    used(run, 1, "event_0000000000000000000000c0");
    ObjectNode differences = run.putObject("differences");
    differences.putArray("added").add("asked");
    differences.putArray("changed").add("said");
    differences.putArray("not_taken").add("tidied");
    differences.put("count", 3).put("end", "artifacts");
    run.put("final_state", "COMPLETED");
    ArrayNode artifacts = run.putArray("artifacts");
    artifacts.addObject().put("kind", "dataset").put("sha256", OTHER_ARTIFACT);
    artifacts.add(source().json().at("/final_artifacts/0"));
    return run;
  }

  private static void used(ObjectNode run, int number, String event) {
    Recorded recorded = RECORDED.get(number);
    String key = recorded.key();
    JsonNode requested = StrictJson.parse(REQUEST.getBytes(UTF_8)).path("override").path(key);
    byte[] task = (source().identifiers().taskId() + "\n" + key).getBytes(UTF_8);
    ObjectNode override =
        run.withArrayProperty("overrides")
            .addObject()
            .put(
                "delta_id",
                "delta_" + HexFormat.of().formatHex(Sha256.of(task).bytes()).substring(0, HALF))
            .put("key", key)
            .put("kind", requested.path("kind").textValue())
            .put("event_id", event)
            .put("before_sha256", recorded.commitment())
            .put(
                "after_sha256", Sha256.of(CanonicalJson.bytes(requested.path("value"))).toString());
    if (requested.has("reason")) {
      override.set("reason", requested.get("reason"));
    }
  }

  /** Returns the receipt of the segment with a run. */
  static Receipt segment(ObjectNode run) {
    LogReplay replay =
        new LogReplay(
            source(),
            new SegmentRequest(
                SegmentRequest.Depth.EXECUTE,
                OptionalLong.empty(),
                Optional.of(new ReplacedRun(run))));
    task().lines().forEach(line -> replay.add(line.getBytes(UTF_8)));
    return replay.finish().segment().orElseThrow().unsigned();
  }
}
