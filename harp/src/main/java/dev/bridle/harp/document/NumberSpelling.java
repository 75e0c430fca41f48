package dev.bridle.harp.document;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.util.regex.Pattern;

/**
 * Looks at how numbers are spelled, which a parsed tree does not tell: implementations write {@code
 * 1.0} and {@code 1e3} again in different ways.
 */
final class NumberSpelling {
  private static final Pattern PLAIN = Pattern.compile("0|-?[1-9][0-9]*");

  private NumberSpelling() {}

  /** Checks a document that is known to be JSON. */
  static void check(byte[] json) throws HarpException {
    int at = 0;
    while (at < json.length) {
      byte now = json[at];
      if (now == '"') {
        at = afterText(json, at);
      } else if (now == '-' || (now >= '0' && now <= '9')) {
        int end = at;
        while (end < json.length && isOfNumber(json[end])) {
          end++;
        }
        if (!PLAIN.matcher(new String(json, at, end - at, US_ASCII)).matches()) {
          throw new HarpException(
              HarpErrorCode.CANONICALIZATION,
              "canonical",
              "A number is not a whole number in its plain spelling.");
        }
        at = end;
      } else {
        at++;
      }
    }
  }

  private static int afterText(byte[] json, int begin) {
    int at = begin + 1;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  private static boolean isOfNumber(byte letter) {
    return (letter >= '0' && letter <= '9')
        || letter == '-'
        || letter == '+'
        || letter == '.'
        || letter == 'e'
        || letter == 'E';
  }
}
