package dev.bridle.gateway.json;

/**
 * One value within a parsed text.
 *
 * @param tape the text
 * @param node where the value stands on it
 */
public record JsonValue(JsonTape tape, int node) {

  /** The whole of a text. */
  public static JsonValue whole(JsonTape tape) {
    return new JsonValue(tape, 0);
  }
}
