package dev.bridle.worker;

import dev.bridle.message.v1.Message;
import dev.bridle.task.v1.TaskMessageMode;
import dev.bridle.worker.v1.UserMessage;

/**
 * A message that the user sent to the task while it worked.
 *
 * @param interrupts whether the handler is to stop what it does and to go on with this; otherwise
 *     it goes on with it after the step that it is at, and before the task ends
 * @param message the message
 */
public record SentMessage(boolean interrupts, Message message) {
  static SentMessage of(UserMessage sent) {
    return new SentMessage(
        sent.getMode() == TaskMessageMode.TASK_MESSAGE_MODE_INTERRUPT_IMMEDIATE, sent.getMessage());
  }

  /** Returns its text parts in order, joined by line breaks; empty if it has none. */
  public String text() {
    return GivenInput.textOf(message).orElse("");
  }
}
