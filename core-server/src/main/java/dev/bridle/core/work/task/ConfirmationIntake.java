package dev.bridle.core.work.task;

import dev.bridle.message.v1.MessageInput;
import java.util.function.Supplier;

/** Accepts answers to permission requests that come as messages of their tasks. */
public interface ConfirmationIntake {
  /**
   * Applies the answer that a message contains.
   *
   * @param appendMessage appends the message, once the answer is valid, and returns its id
   */
  void accept(TaskChange change, MessageInput message, Supplier<String> appendMessage);
}
