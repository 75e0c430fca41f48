package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;

/** Messages as requests have them. */
public final class MessageBody {
  private MessageBody() {}

  /** Returns a user's message with a text. */
  public static ObjectNode ofUser(String text) {
    return of("user", JsonLines.object().put("type", "text").put("text", text));
  }

  /** Returns a message with one part, which is public. */
  static ObjectNode of(String role, ObjectNode part) {
    ObjectNode message = JsonLines.object().put("role", role);
    message.putArray("parts").add(part.put("visibility", "public"));
    return message;
  }
}
