package dev.bridle.worker;

import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Role;

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

  /** Returns whether a person or a caller has said it. */
  public boolean isOfUser() {
    return message.getRole() == Role.ROLE_USER;
  }
}
