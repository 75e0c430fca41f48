package dev.bridle.core.work.task;

import dev.bridle.message.v1.MessageInput;
import java.util.function.Supplier;

/** Takes answers to permission requests that come as messages of their tasks. */
public interface ConfirmationIntake {
  /**
   * Applies the answer that a message holds.
   *
   * @param appendMessage appends the message, once the answer is known to be one, and returns its
   *     id
   */
  void accept(TaskChange change, MessageInput message, Supplier<String> appendMessage);
}
