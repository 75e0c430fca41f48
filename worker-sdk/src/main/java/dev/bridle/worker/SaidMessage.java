package dev.bridle.worker;

import dev.bridle.message.v1.Message;
import java.util.Locale;

/**
 * A message of a session.
 *
 * @param message the message
 */
public record SaidMessage(Message message) {
  /** Returns its text parts in order, joined by line breaks; empty if it has none. */
  public String text() {
    return GivenInput.textOf(message).orElse("");
  }

  /** Returns who has said it: {@code user}, {@code agent}, or another role of the protocol. */
  public String role() {
    return message.getRole().name().substring("ROLE_".length()).toLowerCase(Locale.ROOT);
  }
}
