package dev.bridle.proof.schema;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as RFC 3339 writes them: any offset, any number of decimals, a leap second only where one
 * can be, years from 0001.
 */
public final class Rfc3339 {
  private static final Pattern TIME =
      Pattern.compile(
          "([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.[0-9]+)?"
              + "(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))");

  private static final int MINUTES_OF_DAY = 24 * 60;

  private Rfc3339() {}

  /**
   * Returns a time's whole seconds since 1970-01-01T00:00:00Z, without its decimals; empty if the
   * text is not such a time.
   */
  public static OptionalLong epochSecond(String text) {
    Matcher parts = TIME.matcher(text);
    if (!parts.matches()) {
      return OptionalLong.empty();
    }
    int year = number(parts, 1);
    int month = number(parts, 2);
    int day = number(parts, 3);
    if (year < 1 || month < 1 || month > 12 || day < 1) {
      return OptionalLong.empty();
    }
    int hour = number(parts, 4);
    int minute = number(parts, 5);
    int second = number(parts, 6);
    if (day > YearMonth.of(year, month).lengthOfMonth()
        || hour > 23
        || minute > 59
        || second > 60) {
      return OptionalLong.empty();
    }
    int offset = 0;
    if (parts.group(7) != null) {
      if (number(parts, 8) > 23 || number(parts, 9) > 59) {
        return OptionalLong.empty();
      }
      int minutes = number(parts, 8) * 60 + number(parts, 9);
      offset = parts.group(7).equals("-") ? -minutes : minutes;
    }
    long minutes =
        LocalDate.of(year, month, day).toEpochDay() * MINUTES_OF_DAY + hour * 60L + minute - offset;
    if (second == 60 && Math.floorMod(minutes, MINUTES_OF_DAY) != MINUTES_OF_DAY - 1) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(minutes * 60 + second);
  }

  private static int number(Matcher parts, int group) {
    return Integer.parseInt(parts.group(group));
  }
}
