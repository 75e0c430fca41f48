package dev.bridle.proof.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/** Whole numbers. One may be written as 1.0, which is the same value in canonical JSON. */
public final class WholeNumber {
  private WholeNumber() {}

  /** Returns the whole number that a value is; empty if it is none, or beyond 2^53 - 1. */
  public static OptionalLong of(JsonNode value) {
    double number = value.doubleValue();
    return value.isNumber()
            && number == Math.rint(number)
            && Math.abs(number) <= NumberRange.MAX_INTEGER
        ? OptionalLong.of(value.longValue())
        : OptionalLong.empty();
  }

  /** Returns the number that a value counts; empty if it is no whole number, or below 0. */
  public static OptionalLong countOf(JsonNode value) {
    OptionalLong number = of(value);
    return number.isPresent() && number.getAsLong() >= 0 ? number : OptionalLong.empty();
  }
}
