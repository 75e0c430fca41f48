package dev.bridle.proof.json;

/** The numbers that every reader of canonical JSON reads as the same value. */
final class NumberRange {
  /** 2^53 - 1: beyond it, neighboring integers may be the same double. */
  static final long MAX_INTEGER = (1L << 53) - 1;

  /** From here on the canonical form of a double has an exponent, and is not an integer's. */
  private static final double FIRST_WITH_EXPONENT = 1e21;

  static final String BEYOND_INTEGERS =
      "An integer is beyond 2^53 - 1, where doubles are not exact";

  static final String BEYOND_DOUBLES = "A number is beyond a double";

  private NumberRange() {}

  static boolean holds(long integer) {
    return integer >= -MAX_INTEGER && integer <= MAX_INTEGER;
  }

  /** Returns whether a finite number is not written as an integer beyond the range. */
  static boolean holds(double number) {
    double magnitude = Math.abs(number);
    return magnitude <= MAX_INTEGER || magnitude >= FIRST_WITH_EXPONENT;
  }
}
