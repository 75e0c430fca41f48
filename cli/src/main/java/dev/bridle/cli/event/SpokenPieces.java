package dev.bridle.cli.event;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a hosted agent has said piece by piece since its last message of the session, which is these
 * pieces again, perhaps cut and with other blanks. For one thread.
 */
public final class SpokenPieces {
  /** Hosts make messages of less. */
  private static final int MOST = 256 << 10;

  /** Without blanks. */
  private final StringBuilder spoken = new StringBuilder();

  /** Creates it for an agent that has said nothing. */
  public SpokenPieces() {}

  /** Adds a piece. */
  public void add(String text) {
    if (spoken.length() < MOST) {
      spoken.append(withoutBlanks(text));
    }
  }

  /**
   * Returns whether a message says what was said in pieces. What is said next is of another one.
   *
   * @param payload the payload of the message's event
   */
  public boolean endWith(JsonNode payload) {
    JsonNode parts = payload.path("parts");
    String message = withoutBlanks(parts.size() == 1 ? parts.at("/0/text").asText("") : "");
    boolean again = !message.isEmpty() && spoken.toString().startsWith(message);
    spoken.setLength(0);
    return again;
  }

  private static String withoutBlanks(String text) {
    return text.replaceAll("\\s+", "");
  }
}
