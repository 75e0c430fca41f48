package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.verify.OneLine;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;

/** Prints what the replays of a server found. */
final class OnlineOutput {
  private final PrintWriter out;
  private final boolean json;
  private final Optional<ReplayDiff> diff;

  /**
   * Creates what prints replays.
   *
   * @param diff shows what a replay with overrides did otherwise; empty: steps are only named
   */
  OnlineOutput(PrintWriter out, boolean json, Optional<ReplayDiff> diff) {
    this.out = out;
    this.json = json;
    this.diff = diff;
  }

  /** Prints the replay of one task, in full. */
  void print(OnlineResult result) {
    if (json) {
      line(result);
      return;
    }
    out.println(
        "replay "
            + OneLine.of(result.replay())
            + " of "
            + OneLine.of(result.source())
            + (result.source().equals(result.origin())
                ? ""
                : ", a replay of " + OneLine.of(result.origin())));
    result.changes().forEach(this::printChange);
    result
        .segment()
        .ifPresentOrElse(segment -> printSegment(result, segment), () -> printEnd(result));
    out.flush();
  }

  private void printSegment(OnlineResult result, OnlineResult.Segment segment) {
    if (segment.withheld() > 0) {
      out.println(
          String.format(
              Locale.ROOT,
              "  not checked   commitments: %d of %d payloads, which were erased",
              segment.withheld(),
              segment.events()));
    }
    diff.filter(shown -> result.isOverridden())
        .ifPresent(shown -> shown.members(result).forEach(this::printMember));
    out.println("segment " + segment.receiptId() + ": " + segment.receiptHash());
    out.println(
        result.isOverridden()
            ? String.format(
                Locale.ROOT,
                "%s replayed with %s: %s, %s.",
                OneLine.of(result.origin()),
                replaced(result),
                segment.finalState(),
                count(result.differences(), "step")
                    + (result.differences() == 1 ? " differs" : " differ"))
            : String.format(
                Locale.ROOT,
                "%s replayed: %d events, %s, as its receipt says.",
                OneLine.of(result.origin()),
                segment.events(),
                segment.finalState()));
  }

  private static String replaced(OnlineResult result) {
    long refreshed = result.refreshed();
    long overridden = result.overridden() - refreshed;
    if (refreshed == 0) {
      return count(overridden, "override");
    }
    return (overridden == 0 ? "" : count(overridden, "override") + " and ")
        + count(refreshed, "refreshed value");
  }

  private void printChange(StepChange change) {
    out.println(change.line());
    diff.flatMap(shown -> shown.of(change)).ifPresent(pair -> pair.lines().forEach(out::println));
  }

  private void printMember(ReplayDiff.Member member) {
    out.println("  receipt       " + member.pointer());
    member.pair().lines().forEach(out::println);
  }

  private void printEnd(OnlineResult result) {
    String task = OneLine.of(result.origin());
    out.println(why(result));
    out.println(
        result
            .fault()
            .map(fault -> ReplayOutput.notReplayed(task, fault))
            .orElse(task + " was not replayed: see above."));
    if (result.fault().filter(fault -> fault.kind() == ReplayFault.Kind.DIVERGED).isPresent()
        && result.broken().filter(OnlineResult.Broken::isInLog).isPresent()) {
      out.println(
          "What the log and the receipt have there: 'bridle replay record "
              + task
              + " --output FILE', then 'bridle replay FILE'.");
    }
  }

  private static String why(OnlineResult result) {
    return result
        .fault()
        .map(Object::toString)
        .orElseGet(() -> "the replay ended " + result.status() + " before it had a result");
  }

  /** Prints the replay of one task as one line. */
  void line(OnlineResult result) {
    out.println(json ? whole(result) : textLine(result));
    out.flush();
  }

  private ObjectNode whole(OnlineResult result) {
    ObjectNode line = jsonLine(result);
    if (!result.changes().isEmpty()) {
      ArrayNode changes = line.putArray("changes");
      for (StepChange change : result.changes()) {
        ObjectNode shown = change.json();
        diff.flatMap(differ -> differ.of(change)).ifPresent(pair -> shown.setAll(pair.json()));
        changes.add(shown);
      }
      diff.filter(differ -> result.segment().isPresent())
          .ifPresent(
              differ -> {
                ObjectNode members = line.putObject("receipt");
                differ
                    .members(result)
                    .forEach(member -> members.set(member.pointer(), member.pair().json()));
              });
    }
    return line;
  }

  private static String textLine(OnlineResult result) {
    String task = OneLine.of(result.source());
    String by = OneLine.of(result.replay());
    return result
        .segment()
        .map(
            segment ->
                String.format(
                    Locale.ROOT,
                    "%s replayed by %s: %d events, %s, segment %s: %s",
                    task,
                    by,
                    segment.events(),
                    segment.finalState(),
                    segment.receiptId(),
                    segment.receiptHash()))
        .orElseGet(() -> task + " not replayed by " + by + ": " + why(result));
  }

  private static ObjectNode jsonLine(OnlineResult result) {
    ObjectNode line =
        JsonLines.object()
            .put("type", "replay")
            .put("task_id", result.origin())
            .put("source_task_id", result.source())
            .put("replay_task_id", result.replay())
            .put("replayed", result.segment().isPresent());
    if (!result.status().isEmpty()) {
      line.put("status", result.status());
    }
    result
        .segment()
        .ifPresent(
            segment ->
                line.put("events", segment.events())
                    .put("withheld", segment.withheld())
                    .put("final_state", segment.finalState())
                    .putObject("segment")
                    .put("receipt_id", segment.receiptId())
                    .put("receipt_hash", segment.receiptHash())
                    .put("artifact_id", segment.artifactId()));
    result.fault().ifPresent(fault -> line.set("fault", ReplayOutput.fault(fault)));
    return line;
  }

  /** Prints what was done with the tasks of a session. */
  void session(String session, ReplayedCount count) {
    if (json) {
      out.println(sessionLine(session, count));
    } else {
      out.println(
          String.format(
              Locale.ROOT,
              "%s: %d replayed, %d not replayed. Left out: %d not ended, %s.",
              OneLine.of(session),
              count.replayed(),
              count.broken(),
              count.live(),
              count(count.replays(), "replay")));
    }
    out.flush();
  }

  private static ObjectNode sessionLine(String session, ReplayedCount count) {
    return JsonLines.object()
        .put("type", "session")
        .put("session_id", session)
        .put("replayed", count.replayed())
        .put("not_replayed", count.broken())
        .put("not_ended", count.live())
        .put("replays_left_out", count.replays());
  }

  /** Prints that the replay of a session ended before it had gone through its tasks. */
  void noSession(String session, String replay, String status, String message) {
    out.println(
        json
            ? JsonLines.object()
                .put("type", "session")
                .put("session_id", session)
                .put("replay_task_id", replay)
                .put("status", status)
                .put("message", message)
            : OneLine.of(session)
                + " not replayed by "
                + OneLine.of(replay)
                + ": "
                + (message.isEmpty() ? "it ended " + status + " before it had a result" : message));
    out.flush();
  }

  private static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
