package dev.bridle.host.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts secrets out of a text that an agent wrote for a log: the values of variables whose names
 * suggest secrets, and what looks like a key, a token or a password. It can't know them all: a
 * short password that stands alone looks like any word.
 */
public final class SecretMask {
  private static final String MASK = "[secret]";

  /** Shorter values are words, of which a text may have many. */
  private static final int SHORTEST_VALUE = 6;

  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?i).*(key|token|secret|passw|passphrase|credential|auth|cookie|session_id|dsn).*");

  /** What stands before a secret is kept (the first group), so that a reader knows what it was. */
  private static final List<Pattern> SHAPES =
      List.of(
          Pattern.compile("()-----BEGIN [^-]*PRIVATE KEY-----[\\s\\S]*?(-----END [^-]*-----|\\z)"),
          Pattern.compile("(?i)(\\b(?:bearer|basic)\\s+)[A-Za-z0-9._~+/=-]{8,}"),
          Pattern.compile("(://[^\\s/:@]*:)[^\\s/@]+(?=@)"),
          Pattern.compile(
              "(?i)((?:password|passwd|secret|token|api[_-]?key|authorization)[\"']?\\s*[:=]\\s*"
                  + "[\"']?)(?!\\[secret\\]|bearer\\b|basic\\b)[^\\s\"',;&]{4,}"),
          Pattern.compile(
              "(?i)(--?[a-z-]*(?:password|passwd|secret|token|api-?key|credentials?)\\s+[\"']?)"
                  + "(?!\\[secret\\]|-)[^\\s\"']{4,}"),
          Pattern.compile("()\\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}"),
          Pattern.compile(
              "()\\b(?:gh[a-z]|github_pat|glpat|xox[a-z]|bridle)[_-][A-Za-z0-9_-]{10,}"),
          Pattern.compile("()\\bAKIA[0-9A-Z]{12,}"),
          Pattern.compile("()\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]*)?"),
          // Letters and digits without an end: of words, paths and numbers, none is like that.
          Pattern.compile(
              "()(?<![A-Za-z0-9_+=-])(?=[A-Za-z0-9_+=-]*[0-9])(?=[A-Za-z0-9_+=-]*[A-Za-z])"
                  + "[A-Za-z0-9_+=-]{32,}"));

  /** The longest first, since one may be the beginning of another. */
  private final List<String> values;

  private SecretMask(List<String> values) {
    this.values = values;
  }

  /** Creates a mask for whoever has these variables. */
  public static SecretMask of(Map<String, String> variables) {
    List<String> values = new ArrayList<>();
    variables.forEach(
        (name, value) -> {
          if (SECRET_NAME.matcher(name).matches() && value.length() >= SHORTEST_VALUE) {
            values.add(value);
          }
        });
    values.sort(Comparator.comparingInt(String::length).reversed());
    return new SecretMask(List.copyOf(values));
  }

  /** Returns the text with {@code [secret]} in the place of each secret. */
  public String mask(String text) {
    String masked = text;
    for (String value : values) {
      masked = masked.replace(value, MASK);
    }
    for (Pattern shape : SHAPES) {
      Matcher found = shape.matcher(masked);
      masked = found.replaceAll(match -> Matcher.quoteReplacement(match.group(1) + MASK));
    }
    return masked;
  }

  /** Says nothing of the secrets. */
  @Override
  public String toString() {
    return "SecretMask[" + values.size() + " values]";
  }
}
