package dev.bridle.core.work.policy;

import dev.bridle.core.work.permission.ProtectedPaths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The patterns of approval rules. They match rather too much than too little, since a match only
 * adds to what an action requires. An agent chooses the texts, so that none may take long to match:
 * no regular expressions.
 */
final class ActionPattern {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final String FOLDERS = "**";

  private ActionPattern() {}

  /**
   * Returns whether a pattern of files matches a path: {@code *} and {@code ?} stand for characters
   * of a name, {@code **} for any folders; without a leading slash it matches at any depth.
   */
  static boolean matchesPath(String pattern, List<String> path) {
    List<String> names = new ArrayList<>(names(pattern));
    if (!pattern.startsWith("/")) {
      names.add(0, FOLDERS);
    }
    return matches(names, path, FOLDERS::equals, ActionPattern::matchesName);
  }

  private static boolean matchesName(String pattern, String name) {
    return matches(
        pattern.chars().boxed().toList(),
        name.chars().boxed().toList(),
        c -> c == '*',
        (one, other) -> one == '?' || one.equals(other));
  }

  /** Returns the names of a path, as file systems that are most lenient compare them. */
  static List<String> names(String path) {
    List<String> names = new ArrayList<>();
    for (String name : path.split("[/\\\\]+", -1)) {
      if (name.equals("..")) {
        if (!names.isEmpty()) {
          names.remove(names.size() - 1);
        }
      } else if (name.equals(FOLDERS)) {
        names.add(name);
      } else if (!name.isEmpty() && !name.equals(".")) {
        names.add(ProtectedPaths.folded(name));
      }
    }
    return names;
  }

  /**
   * Returns whether a pattern of commands, with {@code *} for any text, matches a part of a text.
   */
  static boolean matchesCommand(String pattern, String command) {
    int from = 0;
    for (String part : Arrays.asList(command(pattern).split("\\*+", -1))) {
      int at = command.indexOf(part, from);
      if (at < 0) {
        return false;
      }
      from = at + part.length();
    }
    return true;
  }

  /** Returns a command as patterns see it: in lower case, with single blanks. */
  static String command(String text) {
    return BLANKS.matcher(text).replaceAll(" ").strip().toLowerCase(Locale.ROOT);
  }

  /** Matches by going back to the last wildcard only, which takes at most the product of both. */
  private static <T> boolean matches(
      List<T> pattern, List<T> text, Predicate<T> anything, BiPredicate<T, T> same) {
    int at = 0;
    int wildcard = -1;
    int taken = 0;
    int i = 0;
    while (i < text.size()) {
      if (at < pattern.size() && anything.test(pattern.get(at))) {
        wildcard = at++;
        taken = i;
      } else if (at < pattern.size() && same.test(pattern.get(at), text.get(i))) {
        at++;
        i++;
      } else if (wildcard >= 0) {
        at = wildcard + 1;
        i = ++taken;
      } else {
        return false;
      }
    }
    return pattern.stream().skip(at).allMatch(anything);
  }
}
