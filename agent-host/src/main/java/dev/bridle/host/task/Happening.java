package dev.bridle.host.task;

import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.bridge.ToolFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;

/** An event that the thread of a turn handles, in the order of arrival. */
sealed interface Happening {
  /**
   * The agent asks.
   *
   * @param replaces the question in whose place it asks, since it has changed the action
   */
  record Asked(Question question, Optional<Question.Permission> replaces) implements Happening {}

  record Acted(String toolCallId, String title) implements Happening {}

  /** Another tool call begins under the id of one that has ended. */
  record BegunAgain(String toolCallId) implements Happening {}

  /** A tool call goes on as another action than was asked for, or may do so. */
  record Diverged(ToolCall call, Difference difference) implements Happening {}

  record TurnOver(Optional<PromptEnd> end, Optional<Throwable> failure) implements Happening {}

  record Returned(ClaimedEffects.Returned result) implements Happening {}

  /** The agent has shown that it has the prompt. */
  record Heard() implements Happening {}

  record Attached(AttachedBytes bytes) implements Happening {}

  record Closed(String why) implements Happening {}

  record Called(HostCall call) implements Happening {}

  /** Fails the calls of tools that nobody takes any more. */
  static void abandonCalls(BlockingQueue<Happening> happenings) {
    List<Happening> left = new ArrayList<>();
    happenings.drainTo(left);
    for (Happening happening : left) {
      if (happening instanceof Called called) {
        called.call().result().completeExceptionally(ToolFailure.of("The turn has ended"));
      } else {
        happenings.add(happening);
      }
    }
  }
}
