package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * The result of a tool run requested from a client.
 *
 * @param outcome whether the tool was run
 * @param output the output of the tool, if a client answered
 * @param reason the reason given with a denial
 */
public record HostResult(Outcome outcome, Optional<JsonNode> output, Optional<String> reason) {

  /** Whether a tool was run. */
  public enum Outcome {
    /** The tool succeeded. */
    DONE,
    /** The tool failed. */
    FAILED,
    /** No client answered in time; use another step key to ask again. */
    TIMED_OUT,
    /** The tool was denied. */
    DENIED,
    /** The permission request expired without a decision; use another step key to ask again. */
    EXPIRED,
    /** Not run: the persona runs in shadow mode. The call is recorded; continue without it. */
    SHADOWED,
    /** Not run: the persona may only suggest. The call is recorded; continue without it. */
    PROPOSED
  }

  /**
   * Returns the output of a tool that succeeded.
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
              "permission_expired",
              "The permission request for the tool expired without a" + " decision.");
      case SHADOWED, PROPOSED ->
          throw new TaskFailure(
              "policy_violation", "The task's persona may only observe or" + " suggest actions.");
    }
    return output.orElseThrow();
  }
}
