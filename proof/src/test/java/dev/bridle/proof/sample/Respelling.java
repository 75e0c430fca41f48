package dev.bridle.proof.sample;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Writes JSON as no canonical writer would: the same values in any order, space and spelling. */
public final class Respelling {
  private final Random random;
  private final StringBuilder out = new StringBuilder();

  private Respelling(Random random) {
    this.random = random;
  }

  /** Returns another text of a value, without line feeds. */
  public static String of(JsonNode value, Random random) {
    Respelling respelling = new Respelling(random);
    respelling.value(value);
    return respelling.out.toString();
  }

  private void value(JsonNode value) {
    space();
    switch (value.getNodeType()) {
      case OBJECT -> object(value);
      case ARRAY -> {
        out.append('[');
        for (int i = 0; i < value.size(); i++) {
          out.append(i == 0 ? "" : ",");
          value(value.get(i));
        }
        out.append(']');
      }
      case STRING -> text(value.textValue());
      case NUMBER -> number(value);
      default -> out.append(value.asText("null"));
    }
    space();
  }

  private void object(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    Collections.shuffle(names, random);
    out.append('{');
    String comma = "";
    for (String name : names) {
      out.append(comma);
      space();
      text(name);
      space();
      out.append(':');
      value(object.get(name));
      comma = ",";
    }
    out.append('}');
  }

  private void number(JsonNode number) {
    if (number.isIntegralNumber()) {
      out.append(number.longValue());
      out.append(
          random.nextInt(4) == 0 ? List.of(".0", "e0", ".00E+0").get(random.nextInt(3)) : "");
      return;
    }
    double value = number.doubleValue();
    switch (random.nextInt(3)) {
      case 0 -> {
        String decimal = new BigDecimal(value).toString();
        out.append(decimal).append(decimal.matches("-?[0-9]+") ? ".0" : "");
      }
      case 1 -> out.append(String.format(Locale.ROOT, "%.17e", new BigDecimal(value)));
      default -> out.append(value);
    }
  }

  private void text(String text) {
    out.append('"');
    text.codePoints().forEach(this::point);
    out.append('"');
  }

  /** Escapes both halves of a pair, or none. */
  private void point(int point) {
    if (point < ' ' || point == '"' || point == '\\' || random.nextInt(6) == 0) {
      for (char c : Character.toChars(point)) {
        out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
      }
    } else if (point == '/' && random.nextBoolean()) {
      out.append("\\/");
    } else {
      out.appendCodePoint(point);
    }
  }

  private void space() {
    for (int i = random.nextInt(8); i < 2; i++) {
      out.append(random.nextBoolean() ? ' ' : '\t');
    }
  }
}
