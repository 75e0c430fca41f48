package dev.bridle.host.text;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Cuts secrets out of a text that an agent wrote for a log: the values of variables whose names
 * suggest secrets, and what looks like a key, a token or a password. It can't know them all: a
 * short password that stands alone looks like any word.
 */
public final class SecretMask {
  private static final String MASK = "[secret]";

  /** Shorter values are words, of which a text may have many. */
  private static final int SHORTEST_VALUE = 6;

  /** Shorter lines of a value are as good as words. */
  private static final int SHORTEST_LINE = 12;

  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?i).*(key|token|secret|passw|passphrase|credential|auth|cookie|session_id|dsn).*");

  /** What is called so is a secret. */
  private static final String NAME =
      "(?:(?i:password|passwd|passphrase|secret|token|credentials?|(?:api|access|private|secret"
          + "|encryption|signing)[_-]?key|_auth)|[A-Z0-9]_(?:KEY|PASS|PWD))";

  /** Between a name and its value; the quotes of a JSON text within another have a backslash. */
  private static final String IS = "\\\\*[\"']?\\s*(?:=>|[:=])\\s*";

  private static final Pattern KEY_END = Pattern.compile("-----END [^-\n]*PRIVATE KEY[^-\n]*-----");
  private static final Pattern KEY_LINE = Pattern.compile("\\s*[A-Za-z0-9+/=]+\\s*");

  /** What stands before a secret is kept (the first group), so that a reader knows what it was. */
  private static final List<Pattern> SHAPES =
      Stream.of(
              Stream.of(
                  "()-----BEGIN [^-]*PRIVATE KEY[^-]*-----[\\s\\S]*?(-----END [^-]*-----|\\z)",
                  "(?i)(authorization" + IS + "\\\\*[\"']?)(?!\\[secret\\])[^\\s\"'][^\"'\\r\\n]*",
                  "(?i)(\\bcookie" + IS + "\\\\*[\"']?)(?!\\[secret\\])[^\\s\"'][^\"'\\r\\n]*",
                  "(?i)(\\b(?:bearer|basic)\\s+)[A-Za-z0-9._~+/=-]{8,}",
                  "(://[^\\s/:@]*:)[^\\s/\"']+(?=@)",
                  "(://)(?=[^\\s/:@]*[0-9])[^\\s/:@\"']{8,}(?=@)"),
              values(NAME + IS, "[^\\s\"',;&]{4,}"),
              values(
                  "(?<![A-Za-z-])--?[A-Za-z-]{0,60}(?i:password|passwd|passphrase|secret|token"
                      + "|api-?key|credentials?)\\s+",
                  "(?!-)[^\\s\"']{4,}"),
              Stream.of(
                  "(?i)([?&](?:sig|signature|key)=)(?!\\[secret\\])[^\\s\"'&]{8,}",
                  "()\\b(?:sk|pk|rk)(?:-|_live_|_test_)[A-Za-z0-9_-]{8,}",
                  "()\\b(?:gh[a-z]|github_pat|glpat|xox[a-z]|bridle)[_-][A-Za-z0-9_-]{10,}",
                  "()\\b(?:AKIA|ASIA)[0-9A-Z]{12,}",
                  "()\\bSG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}",
                  "(hooks\\.slack\\.com/services/)[A-Za-z0-9/]+",
                  "()(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]*)?",
                  // Base64 to its end, which may have slashes.
                  "()(?<![A-Za-z0-9_+/=-])[A-Za-z0-9+/]{32,}={1,2}(?![A-Za-z0-9_=-])",
                  // Letters and digits without an end: of words, paths and numbers, none is so.
                  "()(?<![A-Za-z0-9_+=-])(?=[A-Za-z0-9_+=-]*[0-9])(?=[A-Za-z0-9_+=-]*[A-Za-z])"
                      + "[A-Za-z0-9_+=-]{32,}"))
          .flatMap(shapes -> shapes)
          .map(Pattern::compile)
          .toList();

  /** The longest first, since one may be the beginning of another. */
  private final List<String> values;

  private SecretMask(List<String> values) {
    this.values = values;
  }

  /** Returns the shapes of values behind a name: in quotes of both kinds, and without. */
  private static Stream<String> values(String name, String unquoted) {
    return Stream.of(
        "(" + name + "\\\\*\")(?!\\[secret\\])[^\"\\r\\n]{4,}",
        "(" + name + "\\\\*')(?!\\[secret\\])[^'\\r\\n]{4,}",
        "(" + name + ")(?!\\[secret\\])" + unquoted);
  }

  /** Creates a mask for whoever has these variables. */
  public static SecretMask of(Map<String, String> variables) {
    Set<String> values = new HashSet<>();
    variables.forEach(
        (name, value) -> {
          if (SECRET_NAME.matcher(name).matches() && value.strip().length() >= SHORTEST_VALUE) {
            addSpellings(value.strip(), values);
          }
        });
    return new SecretMask(
        values.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList());
  }

  /** Adds a value as it is, as a text in JSON, and by its lines. */
  private static void addSpellings(String value, Set<String> values) {
    values.add(value);
    values.add(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
    value
        .lines()
        .map(String::strip)
        .filter(line -> line.length() >= SHORTEST_LINE)
        .forEach(values::add);
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
    return maskEndOfKey(masked);
  }

  /** Of a key that has lost its beginning, the lines before its end are cut out. */
  private static String maskEndOfKey(String text) {
    Matcher end = KEY_END.matcher(text);
    if (!end.find()) {
      return text;
    }
    int from = text.lastIndexOf('\n', end.start()) + 1;
    while (from > 0) {
      int before = text.lastIndexOf('\n', from - 2) + 1;
      String line = text.substring(before, from);
      if (!KEY_LINE.matcher(line).matches() && !line.strip().equals(MASK)) {
        break;
      }
      from = before;
    }
    return text.substring(0, from) + MASK + text.substring(end.end());
  }

  /** Says nothing of the secrets. */
  @Override
  public String toString() {
    return "SecretMask[" + values.size() + " values]";
  }
}
