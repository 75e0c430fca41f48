package dev.bridle.core.work.task;

import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;

/** Accepts results of tool calls that clients run. */
public interface ToolResultIntake {
  /**
   * Rejects a message that does not match what the task waits for: a tool call accepts its own
   * result only, and a question accepts no result.
   */
  void validate(TaskChange change, MessageInput message);

  /** Closes the tool call that a validated message answers, if the task waits for one. */
  void accept(TaskChange change, Message message);
}
