package dev.bridle.proof.json;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;

/**
 * Formats doubles as ECMAScript does (Number::toString), which RFC 8785 demands: the fewest digits
 * that read back as the same double, and of those the nearest.
 */
final class EcmaNumber {
  private static final double EXACT = 1L << 53;

  /** Only subnormal numbers below this can have two digits where one is enough. */
  private static final double FEW_DIGITS = 1e-320;

  private static final int MAX_PLAIN = 21;
  private static final int MIN_PLAIN = -6;

  private EcmaNumber() {}

  /** Returns the text of a finite number. */
  static String toString(double value) {
    if (value == Math.rint(value) && Math.abs(value) < EXACT) {
      return Long.toString((long) value);
    }
    String java = NumberOutput.toString(Math.abs(value), true);
    int exponentAt = java.indexOf('E');
    int end = exponentAt < 0 ? java.length() : exponentAt;
    int exponent = exponentAt < 0 ? 0 : Integer.parseInt(java.substring(exponentAt + 1));
    int point = java.indexOf('.');
    String digits = java.substring(0, point) + java.substring(point + 1, end);
    int first = firstOf(digits);
    digits = digits.substring(first, lastOf(digits) + 1);
    // The value is 0.DIGITS times ten to the power of this.
    int scale = exponent + point - first;
    if (Math.abs(value) < FEW_DIGITS && digits.length() == 2) {
      Shorter shorter = Shorter.of(Math.abs(value), digits, scale);
      digits = shorter.digits();
      scale = shorter.scale();
    }
    return (value < 0 ? "-" : "") + layOut(digits, scale);
  }

  private static int firstOf(String digits) {
    int at = 0;
    while (digits.charAt(at) == '0') {
      at++;
    }
    return at;
  }

  private static int lastOf(String digits) {
    int at = digits.length() - 1;
    while (digits.charAt(at) == '0') {
      at--;
    }
    return at;
  }

  private static String layOut(String digits, int scale) {
    int count = digits.length();
    if (count <= scale && scale <= MAX_PLAIN) {
      return digits + "0".repeat(scale - count);
    }
    if (0 < scale && scale <= MAX_PLAIN) {
      return digits.substring(0, scale) + "." + digits.substring(scale);
    }
    if (MIN_PLAIN < scale && scale <= 0) {
      return "0." + "0".repeat(-scale) + digits;
    }
    int exponent = scale - 1;
    String fraction = count == 1 ? "" : "." + digits.substring(1);
    return digits.charAt(0) + fraction + (exponent < 0 ? "e-" : "e+") + Math.abs(exponent);
  }

  /**
   * The smallest doubles have two digits in Java, where ECMAScript writes one if that is enough.
   */
  private record Shorter(String digits, int scale) {
    static Shorter of(double value, String digits, int scale) {
      Shorter best = new Shorter(digits, scale);
      BigDecimal distance = BigDecimal.valueOf(1);
      int tens = digits.charAt(0) - '0';
      for (int digit = tens; digit <= tens + 1; digit++) {
        Shorter one =
            digit == 10 ? new Shorter("1", scale + 1) : new Shorter(String.valueOf(digit), scale);
        BigDecimal off = new BigDecimal(value).subtract(one.value()).abs();
        if (one.value().doubleValue() == value && off.compareTo(distance) < 0) {
          best = one;
          distance = off;
        }
      }
      return best;
    }

    private BigDecimal value() {
      return new BigDecimal("0." + digits + "E" + scale);
    }
  }
}
