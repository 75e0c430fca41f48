package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.host.rpc.RpcError;
import java.util.Set;

/**
 * Why a turn is over.
 *
 * @param task the task
 * @param kind the kind of the event that ended it
 * @param failure why the task failed; missing if it did not
 */
record TurnEnd(String task, String kind, JsonNode failure) {
  /** Failures that ACP has a word for. */
  private static final Set<String> WORDS = Set.of("refusal", "max_tokens", "max_turn_requests");

  static TurnEnd of(String task, StreamEvent last) {
    return new TurnEnd(task, last.kind(), last.body().at("/payload/failure"));
  }

  /** Whether the task goes on once it has an answer. */
  boolean waits() {
    return kind.equals("task.input_required");
  }

  boolean failed() {
    return kind.equals("task.failed") && !WORDS.contains(code());
  }

  private String code() {
    return failure.path("code").asText("");
  }

  /** Returns what is said of a task that has failed. */
  String why() {
    return "The task "
        + task
        + " has failed, "
        + ShownText.line(code())
        + ": "
        + ShownText.line(failure.path("message").asText(""));
  }

  /**
   * Returns the answer to the prompt.
   *
   * @param cancelled whether the editor has cancelled the turn, which counts then (ACP,
   *     Cancellation)
   * @throws AcpRefusal if the task has failed in a way that ACP has no word for
   */
  ObjectNode result(boolean cancelled) {
    ObjectNode result = JsonLines.object();
    if (cancelled || kind.equals("task.canceled")) {
      result.put("stopReason", "cancelled");
    } else if (failed()) {
      throw AcpRefusal.of(RpcError.INTERNAL, why());
    } else {
      result.put("stopReason", kind.equals("task.failed") ? code() : "end_turn");
    }
    ObjectNode facts = result.putObject("_meta").putObject("bridle");
    facts.put("task_id", task).put("ended", kind);
    return result;
  }
}
