package dev.bridle.core.work.policy;

import dev.bridle.core.work.permission.ProtectedPaths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The patterns of approval rules. They match rather too much than too little, since a match only
 * adds to what an action requires. An agent chooses the texts, so that none may take long to match:
 * no regular expressions, and what is beyond the steps of an action matches.
 */
final class ActionPattern {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final String FOLDERS = "**";

  /** About so many characters are compared in the time of a step. */
  private static final int CHARACTERS = 16;

  private ActionPattern() {}

  /**
   * Returns the names of a pattern of files: {@code *} and {@code ?} stand for characters of a
   * name, {@code **} for any folders; without a leading slash it matches at any depth.
   */
  static List<String> path(String pattern) {
    List<String> names = new ArrayList<>(names(pattern));
    if (!pattern.startsWith("/")) {
      names.add(0, FOLDERS);
    }
    return names;
  }

  /**
   * Returns whether a pattern of files matches a path, by going back to the last {@code **} only,
   * which takes at most the product of both.
   *
   * @param pattern its {@linkplain #path names}
   */
  static boolean matchesPath(List<String> pattern, List<String> path, MatchSteps steps) {
    int at = 0;
    int wildcard = -1;
    int taken = 0;
    int i = 0;
    while (i < path.size()) {
      if (!steps.take(1)) {
        return true;
      }
      if (at < pattern.size() && pattern.get(at).equals(FOLDERS)) {
        wildcard = at++;
        taken = i;
      } else if (at < pattern.size() && matchesName(pattern.get(at), path.get(i), steps)) {
        at++;
        i++;
      } else if (wildcard >= 0) {
        at = wildcard + 1;
        i = ++taken;
      } else {
        return false;
      }
    }
    return pattern.stream().skip(at).allMatch(FOLDERS::equals);
  }

  private static boolean matchesName(String pattern, String name, MatchSteps steps) {
    if (pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0) {
      return pattern.equals(name);
    }
    int at = 0;
    int wildcard = -1;
    int taken = 0;
    int i = 0;
    while (i < name.length()) {
      if (!steps.take(1)) {
        return true;
      }
      int width = Character.charCount(name.codePointAt(i));
      if (at < pattern.length() && pattern.charAt(at) == '*') {
        wildcard = at++;
        taken = i;
      } else if (at < pattern.length() && pattern.charAt(at) == '?') {
        at++;
        i += width;
      } else if (name.regionMatches(i, pattern, at, width)) {
        at += width;
        i += width;
      } else if (wildcard >= 0) {
        at = wildcard + 1;
        taken += Character.charCount(name.codePointAt(taken));
        i = taken;
      } else {
        return false;
      }
    }
    return pattern.substring(at).chars().allMatch(c -> c == '*');
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
  static boolean matchesCommand(String pattern, String command, MatchSteps steps) {
    int from = 0;
    for (String part : Arrays.asList(command(pattern).split("\\*+", -1))) {
      long places = (command.length() - from) / CHARACTERS + 1L;
      if (!steps.take(places * (part.length() / CHARACTERS + 1L))) {
        return true;
      }
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
}
