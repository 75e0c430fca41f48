package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.verify.OneLine;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a server found when it replayed a task.
 *
 * @param source the id of the task that was asked to be replayed
 * @param origin the id of the task whose log was replayed: the source, or what it is a replay of
 * @param replay the id of the task that is the replay
 * @param status how that task ended
 * @param segment what was replayed; empty if the replay did not reach the end of the log
 * @param broken where it broke off; empty if it did not, or was ended by somebody
 * @param changes what a replay with overrides did otherwise, and its overrides, in their order
 */
record OnlineResult(
    String source,
    String origin,
    String replay,
    String status,
    Optional<Segment> segment,
    Optional<Broken> broken,
    List<StepChange> changes) {
  /** Copies the changes. */
  OnlineResult {
    changes = List.copyOf(changes);
  }

  /**
   * The replayed log and its receipt, as the event {@code replay.completed} has them.
   *
   * @param events how many events were replayed
   * @param withheld how many of them disclose nothing
   * @param finalState how the origin ended
   * @param artifactId the artifact that has the receipt's bytes
   */
  record Segment(
      long events,
      long withheld,
      String finalState,
      String receiptId,
      String receiptHash,
      String artifactId) {

    static Segment of(JsonNode payload) {
      return new Segment(
          payload.path("events").asLong(),
          payload.path("withheld").asLong(),
          text(payload, "final_state"),
          text(payload, "segment_receipt_id"),
          text(payload, "segment_receipt_hash"),
          text(payload, "artifact_id"));
    }
  }

  /**
   * Where a replay broke off.
   *
   * @param fault the first difference, or what is missing
   * @param isInLog whether it is between the log and the receipt; else the handler, which ran
   *     before, did something else or lacked something
   */
  record Broken(ReplayFault fault, boolean isInLog) {}

  /** Returns the first difference, or what is missing; empty if the replay did not break off. */
  Optional<ReplayFault> fault() {
    return broken.map(Broken::fault);
  }

  /** Returns the first difference, as the event {@code replay.failed} has it. */
  static ReplayFault fault(JsonNode payload) {
    ReplayFault.Kind unavailable = ReplayFault.Kind.UNAVAILABLE;
    JsonNode sequence = payload.path("sequence");
    return new ReplayFault(
        text(payload, "code").equals(unavailable.spelling())
            ? unavailable
            : ReplayFault.Kind.DIVERGED,
        sequence.isNumber() ? OptionalLong.of(sequence.asLong()) : OptionalLong.empty(),
        text(payload, "what"),
        text(payload, "expected"),
        text(payload, "found"));
  }

  /** Returns a member of a server's answer as part of one printed line. */
  static String text(JsonNode json, String member) {
    return OneLine.of(json.path(member).asText(""));
  }

  /** Returns whether values were to be replaced. */
  boolean isOverridden() {
    return !changes.isEmpty();
  }

  /** Returns the number of values that were replaced. */
  long overridden() {
    return changes.stream().filter(StepChange::isOverride).count();
  }

  /** Returns how many of them the handler has computed anew. */
  long refreshed() {
    return changes.stream().filter(StepChange::isRefresh).count();
  }

  /** Returns the number of steps that the replay names as different. */
  long differences() {
    return changes.stream().filter(StepChange::isDifference).count();
  }

  /** Returns the exit code of the command: the one that the replay of a file would have. */
  int exitCode() {
    if (segment.isPresent()) {
      return ExitCodes.DONE;
    }
    if (broken.isEmpty()) {
      return ExitCodes.TASK_NOT_COMPLETED;
    }
    return broken.get().fault().kind() == ReplayFault.Kind.UNAVAILABLE
        ? ExitCodes.RECEIPT_NOT_COMPLETE
        : ExitCodes.RECEIPT_NOT_VALID;
  }
}
