package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * What became of asking a client to run a tool.
 *
 * @param outcome whether it was run
 * @param output what the tool gave back, where a client answered
 * @param reason why it may not be run, as whoever decided said
 */
public record HostResult(Outcome outcome, Optional<JsonNode> output, Optional<String> reason) {

  /** Whether a tool was run. */
  public enum Outcome {
    /** It did what was asked. */
    DONE,
    /** It was run, and did not do what was asked. */
    FAILED,
    /** No client answered in time; another step key asks again. */
    TIMED_OUT,
    /** It may not be run. */
    DENIED,
    /** Nobody decided in time whether it may be run; another step key asks again. */
    EXPIRED,
    /** It was not run: the persona only watches. It is recorded; go on without it. */
    SHADOWED,
    /** It was not run: the persona only proposes. It is recorded; go on without it. */
    PROPOSED
  }

  /**
   * Returns what the tool gave back where it did what was asked.
   *
   * @throws TaskFailure with `tool_failed`, `tool_timed_out`, `permission_denied`,
   *     `permission_expired` or `policy_violation` otherwise
   */
  public JsonNode needDone() throws TaskFailure {
    switch (outcome) {
      case DONE -> {}
      case FAILED -> throw new TaskFailure("tool_failed", "The client's tool failed.");
      case TIMED_OUT -> throw new TaskFailure("tool_timed_out", "No client ran the tool in time.");
      case DENIED ->
          throw new TaskFailure(
              "permission_denied",
              "The tool was denied" + reason.map(why -> ": " + why).orElse("."));
      case EXPIRED ->
          throw new TaskFailure(
              "permission_expired", "Nobody decided in time whether the tool may be run.");
      case SHADOWED, PROPOSED ->
          throw new TaskFailure("policy_violation", "The task's persona only watches or proposes.");
    }
    return output.orElseThrow();
  }
}
