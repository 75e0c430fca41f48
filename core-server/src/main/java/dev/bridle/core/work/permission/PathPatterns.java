package dev.bridle.core.work.permission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A set of patterns of paths. A pattern is one or more names: {@code Makefile} and {@code
 * .cargo/config} match a file at any depth, {@code .git/} and {@code .config/git/} a folder with
 * all that is in it. Within a name {@code *} stands for any characters. Matching takes no longer
 * than the number of patterns times the length of the path. Immutable.
 */
final class PathPatterns {
  private static final String FOLDER = "/";

  /**
   * A pattern.
   *
   * @param names its names, from the outermost folder to the innermost name
   * @param isFolder whether it matches what is in the folder as well
   */
  private record Pattern(List<String> names, boolean isFolder) {
    String last() {
      return names.get(names.size() - 1);
    }

    boolean matchesUpTo(int end, List<String> path) {
      int start = end + 1 - names.size();
      if (start < 0 || !(isFolder || end == path.size() - 1)) {
        return false;
      }
      for (int i = 0; i < names.size(); i++) {
        if (!matchesName(names.get(i), path.get(start + i))) {
          return false;
        }
      }
      return true;
    }
  }

  private final Map<String, List<Pattern>> byLastName = new HashMap<>();
  private final List<Pattern> others = new ArrayList<>();

  /**
   * Makes the set.
   *
   * @param folded how names are folded before they are compared, as those of the paths are
   */
  PathPatterns(Collection<String> patterns, UnaryOperator<String> folded) {
    for (String pattern : patterns) {
      List<String> names = List.of(pattern.split("/")).stream().map(folded).toList();
      Pattern one = new Pattern(names, pattern.endsWith(FOLDER));
      if (one.last().indexOf('*') < 0) {
        byLastName.computeIfAbsent(one.last(), unused -> new ArrayList<>()).add(one);
      } else {
        others.add(one);
      }
    }
  }

  /** Returns whether a pattern matches a path, of which the names are folded. */
  boolean match(List<String> path) {
    for (int end = 0; end < path.size(); end++) {
      for (Pattern pattern : byLastName.getOrDefault(path.get(end), List.of())) {
        if (pattern.matchesUpTo(end, path)) {
          return true;
        }
      }
      for (Pattern pattern : others) {
        if (pattern.matchesUpTo(end, path)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Compares by going back to the last {@code *} only. */
  private static boolean matchesName(String pattern, String name) {
    int at = 0;
    int wildcard = -1;
    int taken = 0;
    int i = 0;
    while (i < name.length()) {
      if (at < pattern.length() && pattern.charAt(at) == '*') {
        wildcard = at++;
        taken = i;
      } else if (at < pattern.length() && pattern.charAt(at) == name.charAt(i)) {
        at++;
        i++;
      } else if (wildcard >= 0) {
        at = wildcard + 1;
        i = ++taken;
      } else {
        return false;
      }
    }
    return pattern.substring(at).chars().allMatch(c -> c == '*');
  }
}
