package dev.bridle.core.work.task;

import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;

/** Takes the results of tools that a task has asked its clients to run. */
public interface ToolResultIntake {
  /**
   * Rejects a message that does not answer what the task waits with: a tool call takes its own
   * result only, and a question takes none.
   */
  void validate(TaskChange change, MessageInput message);

  /** Closes the tool call that a validated message answers, if the task waits with one. */
  void accept(TaskChange change, Message message);
}
