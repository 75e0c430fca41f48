package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.replay.ReplayCheck.Outcome;
import dev.bridle.proof.sample.SampleTask;
import dev.bridle.proof.sample.SampleTask.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That a log replays against its own receipt, and that each break is refused by its name. */
final class LogReplayTest {
  private static final String HASH = "sha256:" + "0".repeat(64);

  @Test
  void aLogReplaysAgainstItsReceipt() {
    ReplayReport report = replay(SampleTask.completed());

    assertThat(report.fault()).isEmpty();
    assertThat(report.events()).isEqualTo(17);
    assertThat(report.finalState()).contains("COMPLETED");
    assertThat(report.isComplete()).isTrue();
    assertThat(names(report, Outcome.PASSED))
        .containsExactly(
            "sequence",
            "commitments",
            "log_digest",
            "lifecycle",
            "final_state",
            "times",
            "totals",
            "approvals",
            "tool_calls",
            "fs_writes",
            "network_egress",
            "a2a_handoffs",
            "dependencies",
            "final_artifacts");
    assertThat(names(report, Outcome.NOT_DERIVABLE))
        .as("what events do not have never counts as passed")
        .containsExactly("trust", "autonomy_budget", "model_route", "cost");
  }

  /**
   * A break.
   *
   * @param log changes the lines after the receipt was made
   * @param receipt changes the receipt before it is signed
   * @param fault its kind, number of event, and subject
   */
  record Break(
      String name,
      Consumer<List<Event>> events,
      Consumer<List<String>> log,
      Consumer<ObjectNode> receipt,
      String fault) {
    static Break ofLog(String name, Consumer<List<String>> log, String fault) {
      return new Break(name, events -> {}, log, receipt -> {}, fault);
    }

    static Break ofReceipt(String name, Consumer<ObjectNode> receipt, String fault) {
      return new Break(name, events -> {}, log -> {}, receipt, fault);
    }

    /** The receipt is of these events: only what they say is wrong. */
    static Break ofEvents(String name, Consumer<List<Event>> events, String fault) {
      return new Break(name, events, log -> {}, receipt -> {}, fault);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Break> breaks() {
    return Stream.of(
        Break.ofLog("a dropped event", log -> log.remove(8), "replay_diverged 8 sequence"),
        Break.ofLog(
            "a repeated event", log -> log.add(9, log.get(8)), "replay_diverged 9 sequence"),
        Break.ofLog(
            "swapped events", log -> Collections.swap(log, 8, 9), "replay_diverged 8 sequence"),
        Break.ofLog("a dropped end", log -> log.remove(16), "replay_diverged - events"),
        Break.ofLog(
            "an event after the end",
            log -> log.add(log.get(15).replace("\"sequence\":15", "\"sequence\":17")),
            "replay_diverged 17 lifecycle"),
        Break.ofLog("a removed beginning", log -> log.remove(0), "replay_unavailable - events"),
        Break.ofLog("a log that is gone", List::clear, "replay_unavailable - events"),
        Break.ofLog(
            "an altered payload",
            log -> log.set(4, log.get(4).replace("make", "rm -r")),
            "replay_diverged 4 commitment"),
        Break.ofLog(
            "an altered commitment without its payload",
            log -> log.set(4, SampleTask.withheld(log.get(4)).replaceAll("sha256:[0-9a-f]+", HASH)),
            "replay_diverged - log_digest"),
        Break.ofLog(
            "an altered kind of event",
            log -> log.set(15, log.get(15).replace("agent.message", "user.message")),
            "replay_diverged - log_digest"),
        Break.ofLog(
            "an altered actor",
            log -> log.set(6, log.get(6).replace("\"actor\":\"agent\"", "\"actor\":\"eve\"")),
            "replay_diverged - log_digest"),
        Break.ofLog(
            "a line that is no JSON", log -> log.set(3, "{\"a\""), "replay_diverged 3 line"),
        Break.ofLog(
            "a member that others may read",
            log -> log.set(3, log.get(3).replace("{\"actor\"", "{\"also\":1,\"actor\"")),
            "replay_diverged 3 line"),
        Break.ofLog(
            "a payload without its salt",
            log -> log.set(3, log.get(3).replaceAll(",\"salt\":\"[0-9a-f]+\"", "")),
            "replay_diverged 3 line"),
        Break.ofReceipt(
            "a wrong digest",
            receipt -> {
              receipt.withObject("/metadata/bridle.log").put("sha256", HASH);
              material(receipt).put("sha256", HASH);
            },
            "replay_diverged - log_digest"),
        Break.ofReceipt(
            "two digests",
            receipt -> material(receipt).put("sha256", HASH),
            "replay_diverged - /replay_input/materials/0"),
        Break.ofReceipt(
            "a receipt without a digest",
            receipt -> receipt.withObjectProperty("metadata").remove("bridle.log"),
            "replay_unavailable - /metadata/bridle.log"),
        Break.ofReceipt(
            "a receipt of something else",
            receipt -> receipt.withObjectProperty("subject").put("object", "artifact"),
            "replay_unavailable - receipt"),
        Break.ofReceipt(
            "a wrong final state",
            receipt -> receipt.withObjectProperty("lifecycle").put("final_state", "FAILED"),
            "replay_diverged 16 final_state"),
        Break.ofReceipt(
            "a wrong time",
            receipt ->
                receipt.withObjectProperty("lifecycle").put("started_at", "2026-01-01T00:00:00Z"),
            "replay_diverged - /lifecycle/started_at"),
        Break.ofReceipt(
            "a wrong count",
            receipt -> receipt.withObject("/metadata/bridle.totals").put("messages", 2),
            "replay_diverged - /metadata/bridle.totals/messages"),
        Break.ofReceipt(
            "another approver",
            receipt -> ((ObjectNode) receipt.at("/approvals/0")).put("actor", "eve"),
            "replay_diverged 6 /approvals/0/actor"),
        Break.ofReceipt(
            "another decision",
            receipt -> ((ObjectNode) receipt.at("/approvals/0")).put("decision", "denied"),
            "replay_diverged 6 /approvals/0/decision"),
        Break.ofReceipt(
            "an approval that the receipt keeps quiet about",
            receipt -> receipt.putArray("approvals"),
            "replay_diverged 6 /approvals/0"),
        Break.ofReceipt(
            "an approval that nobody gave",
            receipt ->
                receipt
                    .withArray("approvals")
                    .add(receipt.at("/approvals/0").<ObjectNode>deepCopy()),
            "replay_diverged - /approvals/1"),
        Break.ofReceipt(
            "another command",
            receipt ->
                ((ObjectNode) receipt.at("/side_effects/tool_calls/0")).put("status", "failed"),
            "replay_diverged 4 /side_effects/tool_calls/0"),
        Break.ofReceipt(
            "another result of a client's tool",
            receipt ->
                ((ObjectNode) receipt.at("/side_effects/tool_calls/1")).put("output_hash", HASH),
            "replay_diverged 11 /side_effects/tool_calls/1"),
        Break.ofReceipt(
            "another file",
            receipt -> ((ObjectNode) receipt.at("/side_effects/fs_writes/0")).put("path", "a"),
            "replay_diverged 3 /side_effects/fs_writes/0"),
        Break.ofReceipt(
            "another destination",
            receipt ->
                ((ObjectNode) receipt.at("/side_effects/network_egress/0")).put("destination", "a"),
            "replay_diverged 13 /side_effects/network_egress/0"),
        Break.ofReceipt(
            "a wrong length of a list",
            receipt -> receipt.withObject("/metadata/bridle.lists/file_write").put("count", 2),
            "replay_diverged - /side_effects/fs_writes"),
        Break.ofReceipt(
            "another dependency",
            receipt -> ((ObjectNode) receipt.at("/replay_input/materials/1")).put("id", "llm:2"),
            "replay_diverged 2 /replay_input/materials/1"),
        Break.ofReceipt(
            "another result",
            receipt -> ((ObjectNode) receipt.at("/final_artifacts/0")).put("sha256", HASH),
            "replay_diverged - /final_artifacts/0/sha256"),
        Break.ofEvents(
            "a second end", events -> events.add(events.get(16)), "replay_diverged 17 lifecycle"),
        Break.ofEvents("no end", events -> events.remove(16), "replay_diverged - lifecycle"),
        Break.ofEvents(
            "a second beginning",
            events -> events.set(15, events.get(0)),
            "replay_diverged 15 lifecycle"),
        Break.ofEvents(
            "a wait that nothing began",
            events -> events.set(15, events.get(7)),
            "replay_diverged 15 lifecycle"),
        Break.ofEvents(
            "an end out of a wait", events -> events.remove(12), "replay_diverged 15 lifecycle"),
        Break.ofEvents(
            "an event that misstates the state before it",
            events ->
                events.set(
                    16,
                    SampleTask.event(
                        "task.completed", "'status':'COMPLETED','previous_status':'SUBMITTED'")),
            "replay_diverged 16 lifecycle"));
  }

  private static ObjectNode material(ObjectNode receipt) {
    return (ObjectNode) receipt.at("/replay_input/materials/0");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("breaks")
  void aBreakIsRefusedByItsName(Break planted) {
    List<Event> events = SampleTask.events();
    planted.events().accept(events);
    SampleTask task = SampleTask.of(events);
    ObjectNode draft = task.draft();
    planted.receipt().accept(draft);
    List<String> lines = new ArrayList<>(task.lines());
    planted.log().accept(lines);

    ReplayReport report = replay(SampleTask.signed(draft), lines);

    assertThat(report.fault().map(LogReplayTest::described)).contains(planted.fault());
    assertThat(report.isReplayed()).isFalse();
    assertThat(report.checks()).isEmpty();
    assertThat(report.segment()).as("no receipt of a broken replay").isEmpty();
  }

  private static String described(ReplayFault fault) {
    OptionalLong at = fault.sequence();
    return fault.kind().spelling()
        + " "
        + (at.isPresent() ? at.getAsLong() : "-")
        + " "
        + fault.what();
  }

  @Test
  void whatIsErasedIsNotCheckedAndNeverPassed() {
    SampleTask task = SampleTask.completed();
    List<String> lines = new ArrayList<>(task.lines());
    lines.replaceAll(SampleTask::withheld);

    ReplayReport report = replay(SampleTask.signed(task.draft()), lines);

    assertThat(report.isReplayed()).isTrue();
    assertThat(report.isComplete()).isFalse();
    assertThat(report.withheld()).isEqualTo(17);
    assertThat(names(report, Outcome.NOT_CHECKED))
        .containsExactly(
            "commitments",
            "approvals",
            "tool_calls",
            "fs_writes",
            "network_egress",
            "dependencies",
            "final_artifacts");
  }

  @Test
  void ofALongListTheHashIsCompared() {
    List<Event> events = SampleTask.events();
    for (int i = 0; i < 250; i++) {
      String members = "'operation':'modify','path':'file" + i + "'";
      events.add(4, SampleTask.event("vendor.bridle.file_written", members));
    }
    SampleTask task = SampleTask.listing(200, events);
    assertThat(replay(task).fault()).isEmpty();

    ObjectNode draft = task.draft();
    draft.withObject("/metadata/bridle.lists/file_write").put("sha256", HASH);

    assertThat(replay(SampleTask.signed(draft), task.lines()).fault().map(LogReplayTest::described))
        .contains("replay_diverged - /metadata/bridle.lists/file_write/sha256");
  }

  @Test
  void nothingIsReadAfterTheFirstDifference() {
    SampleTask task = SampleTask.completed();
    LogReplay replay = new LogReplay(SampleTask.signed(task.draft()));

    assertThat(replay.add(task.lines().get(0).getBytes(UTF_8))).isTrue();
    assertThat(replay.add("{}".getBytes(UTF_8))).isFalse();
    assertThat(replay.add(task.lines().get(1).getBytes(UTF_8))).isFalse();
    assertThat(replay.finish().events()).isEqualTo(1);
  }

  @Test
  void aFaultIsOneLineHoweverItIsQuoted() {
    SampleTask task = SampleTask.completed();
    List<String> lines = new ArrayList<>(task.lines());
    lines.add(
        lines
            .get(15)
            .replace("\"sequence\":15", "\"sequence\":17")
            .replace("agent.message", "x\\n" + "y".repeat(5000)));

    String fault = replay(SampleTask.signed(task.draft()), lines).fault().orElseThrow().toString();

    assertThat(fault).doesNotContain("\n").hasSizeLessThan(1000);
  }

  private static ReplayReport replay(SampleTask task) {
    return replay(SampleTask.signed(task.draft()), task.lines());
  }

  private static ReplayReport replay(Receipt receipt, List<String> lines) {
    LogReplay replay = new LogReplay(receipt);
    lines.forEach(line -> replay.add(line.getBytes(UTF_8)));
    return replay.finish();
  }

  private static List<String> names(ReplayReport report, Outcome outcome) {
    return report.checks().stream()
        .filter(check -> check.outcome() == outcome)
        .map(ReplayCheck::name)
        .toList();
  }
}
