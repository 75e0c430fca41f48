package dev.bridle.gateway.kit.json;

/**
 * One value of a parsed text.
 *
 * @param tape the text
 * @param node the node of the value
 */
public record JsonValue(JsonTape tape, int node) {

  /** Returns the root value of a text. */
  public static JsonValue whole(JsonTape tape) {
    return new JsonValue(tape, 0);
  }
}
