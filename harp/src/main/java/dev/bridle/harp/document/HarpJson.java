package dev.bridle.harp.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.AmbiguousJsonException;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * JSON of which all implementations of HARP make the same canonical bytes (RFC 8785). Stricter than
 * JSON: no null, whole numbers up to 2^53 - 1 in their plain spelling, and no object whose members
 * the draft (by code point) and RFC 8785 (by UTF-16 code unit) put in a different order.
 */
public final class HarpJson {
  private HarpJson() {}

  /**
   * Parses an object.
   *
   * @param most the most bytes
   * @throws HarpException {@code TRANSPORT} if it is no JSON object or too large; {@code
   *     CANONICALIZATION} if it has no canonical bytes that all agree on
   */
  public static ObjectNode parse(byte[] json, int most) throws HarpException {
    if (json.length > most) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT,
          "too_large",
          "The document has " + json.length + " bytes; at most " + most + " are taken.");
    }
    JsonNode read;
    try {
      read = StrictJson.parse(json, most);
    } catch (AmbiguousJsonException e) {
      throw refused(e.getMessage());
    } catch (InvalidJsonException e) {
      throw new HarpException(HarpErrorCode.TRANSPORT, "json", e.getMessage());
    }
    if (!(read instanceof ObjectNode object)) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT, "json", "The document is not a JSON object.");
    }
    NumberSpelling.check(json);
    check(object);
    return object;
  }

  /**
   * Returns the canonical bytes of an object.
   *
   * @throws HarpException {@code CANONICALIZATION} if there are none that all agree on
   */
  public static byte[] canonical(ObjectNode object) throws HarpException {
    check(object);
    try {
      return CanonicalJson.bytes(object);
    } catch (InvalidJsonException e) {
      throw refused(e.getMessage());
    }
  }

  /** Returns the hash of an object's canonical bytes without one member, as 64 hex digits. */
  public static String hashWithout(ObjectNode object, String member) throws HarpException {
    return hex(canonicalWithout(object, member));
  }

  /** Returns the canonical bytes of an object without one member. */
  public static byte[] canonicalWithout(ObjectNode object, String member) throws HarpException {
    ObjectNode rest = object.objectNode();
    rest.setAll(object);
    rest.remove(member);
    return canonical(rest);
  }

  /** Returns the SHA-256 of bytes as 64 lower-case hexadecimal digits. */
  public static String hex(byte[] bytes) {
    return Sha256.of(bytes).toString().substring("sha256:".length());
  }

  private static void check(JsonNode value) throws HarpException {
    if (value.isNull()) {
      throw refused("A member is null; absent members are left out.");
    }
    if (value.isNumber() && !value.isIntegralNumber()) {
      throw refused("A number is no whole number.");
    }
    if (value.isObject()) {
      checkOrder((ObjectNode) value);
    }
    for (JsonNode element : value) {
      check(element);
    }
  }

  private static void checkOrder(ObjectNode object) throws HarpException {
    List<String> units = new ArrayList<>();
    object.fieldNames().forEachRemaining(units::add);
    List<String> points = new ArrayList<>(units);
    units.sort(Comparator.naturalOrder());
    points.sort(HarpJson::byCodePoint);
    if (!units.equals(points)) {
      throw refused("The names of an object's members have no order that all agree on.");
    }
  }

  private static int byCodePoint(String one, String other) {
    int[] left = one.codePoints().toArray();
    int[] right = other.codePoints().toArray();
    return Arrays.compare(left, right);
  }

  private static HarpException refused(String message) {
    return new HarpException(HarpErrorCode.CANONICALIZATION, "canonical", message);
  }
}
