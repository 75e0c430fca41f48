package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The preference {@code handling} of a request (RFC 7240, section 4.4): {@code lenient} has members
 * ignored that the operation does not know; {@code strict}, the default, has them rejected.
 */
public final class HandlingPreference {
  /** The header of requests with their preferences. */
  public static final CharSequence PREFER = HttpHeaderNames.of("prefer");

  /** The header of responses with the preferences that were honored. */
  public static final CharSequence APPLIED = HttpHeaderNames.of("preference-applied");

  private static final String NAME = "handling";

  private static final String LENIENT = "lenient";

  /** The preference for lenient handling. */
  static final String LENIENT_HANDLING = NAME + "=" + LENIENT;

  /** The preference for strict handling. */
  private static final String STRICT_HANDLING = NAME + "=strict";

  private HandlingPreference() {}

  /** Returns the headers with the preferences of another header value. */
  public static String normalized(String preferences) {
    return isLenient(List.of(preferences)) ? LENIENT_HANDLING : STRICT_HANDLING;
  }

  /** Returns whether a request prefers lenient handling. */
  public static boolean isLenient(RequestHeaders headers) {
    return isLenient(headers.getAll(PREFER));
  }

  /** The first preference of a name counts. */
  private static boolean isLenient(List<String> values) {
    return values.stream()
        .flatMap(value -> preferences(value).stream())
        .flatMap(preference -> handling(preference).stream())
        .findFirst()
        .filter(LENIENT::equalsIgnoreCase)
        .isPresent();
  }

  /** Returns the value of a preference without its parameters; empty for other preferences. */
  private static Optional<String> handling(String preference) {
    String[] sides = preference.split("=", 2);
    if (sides.length < 2 || !sides[0].strip().equalsIgnoreCase(NAME)) {
      return Optional.empty();
    }
    String value = sides[1].split(";", 2)[0].strip();
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return Optional.of(quoted ? value.substring(1, value.length() - 1) : value);
  }

  /** Splits a header value at the commas outside of quoted strings. */
  private static List<String> preferences(String value) {
    List<String> found = new ArrayList<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\' && quoted) {
        i++;
      } else if (c == ',' && !quoted) {
        found.add(value.substring(start, i));
        start = i + 1;
      }
    }
    found.add(value.substring(start));
    return found;
  }
}
