package dev.bridle.proof.json;

import com.fasterxml.jackson.databind.JsonNode;

/** The canonical form of JSON: RFC 8785, the JSON Canonicalization Scheme. */
public final class CanonicalJson {
  private CanonicalJson() {}

  /**
   * Returns the canonical UTF-8 bytes of a value. What {@link StrictJson} reads has the same form
   * as these bytes, and these bytes are what {@link StrictJson} accepts.
   *
   * @throws InvalidJsonException if the tree holds a lone surrogate, a number that is not finite or
   *     an integer beyond 2^53 - 1, is nested deeper than {@link StrictJson#MAX_DEPTH}, or holds
   *     nodes that are not JSON (binary, objects of Java)
   */
  public static byte[] bytes(JsonNode value) {
    CanonicalWriter writer = new CanonicalWriter();
    writer.value(value);
    return writer.toByteArray();
  }
}
