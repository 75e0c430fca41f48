package dev.bridle.proof.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Free JSON with the texts and numbers that writers and readers get wrong. */
public final class SampleValues {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final double EXACT = 1L << 53;

  /** Of each length in UTF-8, on both sides of where UTF-16 and UTF-8 sort differently. */
  private static final List<String> PIECES =
      List.of(
          "a",
          "Z",
          "0",
          " ",
          "~",
          "/",
          "\"",
          "\\",
          "\b",
          "\t",
          "\n",
          "\f",
          "\r",
          "\u0000",
          "\u0001",
          "\u001f",
          "\u007f",
          "\u0080",
          "é",
          "ß",
          "\u07ff",
          "\u0800",
          "€",
          "日本",
          "\u2028",
          "\u2029",
          "\ud7ff",
          "\ue000",
          "\ufb33",
          "\ufeff",
          "\uffff",
          "😀",
          "\ud800\udc00",
          "\udbff\udfff",
          "e\u0301",
          "</script>",
          "\\u0041");

  private static final double[] EDGES =
      Stream.of(
              "0",
              "-0.0",
              "1",
              "-1",
              "0.5",
              "0.1",
              "0.30000000000000004",
              "1e-6",
              "1e-7",
              "1.23456e-6",
              "1e21",
              "1.5e21",
              "1e22",
              "1e23",
              "2e23",
              "1e300",
              "1.7976931348623157e308",
              "-1.7976931348623157e308",
              "2.2250738585072014e-308",
              "2.2250738585072011e-308",
              "5e-324",
              "1e-323",
              "1.5e-323",
              "2.5e-323",
              "1e-322",
              "9007199254740991",
              "-9007199254740991",
              "4503599627370496.5",
              "333333333.33333329",
              "0.0000033333333333333333",
              "4.35")
          .mapToDouble(Double::parseDouble)
          .toArray();

  private final Random random;

  /** Takes what chooses. */
  public SampleValues(Random random) {
    this.random = random;
  }

  /** Returns a text of up to a number of pieces, which may be empty. */
  public String text(int pieces) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(pieces + 1); i > 0; i--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  /** Returns a text that is not empty. */
  public String name() {
    return "n" + text(3);
  }

  /** Returns any finite double of which the canonical form is no integer beyond 2^53 - 1. */
  public double number() {
    double number =
        switch (random.nextInt(5)) {
          case 0 -> EDGES[random.nextInt(EDGES.length)];
          case 1 -> Double.longBitsToDouble(random.nextLong());
          case 2 -> Double.longBitsToDouble(random.nextLong() >>> (12 + random.nextInt(52)));
          case 3 -> random.nextInt(1_000_000) / 1e4;
          default -> random.nextLong() >> (11 + random.nextInt(50));
        };
    boolean kept =
        Double.isFinite(number) && (Math.abs(number) < EXACT || Math.abs(number) >= 1e21);
    return kept ? number : random.nextDouble();
  }

  /** Returns a value of up to a depth. */
  public JsonNode value(int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 6)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(random.nextBoolean());
      case 2 -> NODES.numberNode(random.nextLong() >> (11 + random.nextInt(52)));
      case 3, 4 -> NODES.numberNode(number());
      case 5 -> NODES.textNode(text(6));
      case 6 -> array(depth - 1);
      default -> object(depth - 1);
    };
  }

  /** Returns an array of values of up to a depth. */
  public ArrayNode array(int depth) {
    ArrayNode array = NODES.arrayNode();
    for (int i = random.nextInt(5); i > 0; i--) {
      array.add(value(depth));
    }
    return array;
  }

  /** Returns an object of values of up to a depth. */
  public ObjectNode object(int depth) {
    ObjectNode object = NODES.objectNode();
    for (int i = random.nextInt(6); i > 0; i--) {
      object.set(text(3), value(depth));
    }
    return object;
  }
}
