package dev.bridle.cli.console;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Parses and formats durations of options: a whole number with `ms`, `s`, `m`, `h` or `d`. */
public final class Spans {
  private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private Spans() {}

  /** Returns the duration of a text. */
  public static Duration parse(String text) {
    Matcher span = SPAN.matcher(text);
    if (!span.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration. Expected a whole number with ms, s, m, h or d");
    }
    long amount = Long.parseLong(span.group(1));
    return switch (span.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /** Formats a duration in whole milliseconds. */
  public static String spell(Duration span) {
    return span.toMillis() + "ms";
  }
}
