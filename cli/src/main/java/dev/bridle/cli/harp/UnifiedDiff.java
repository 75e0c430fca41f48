package dev.bridle.cli.harp;

import dev.bridle.cli.console.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of a unified diff, and what each is. Hunks have to have exactly as many lines as their
 * headers say, since tools go by that: in a hunk, a line {@code --- a} is a removed one. What looks
 * like a change and is in none makes it no diff.
 *
 * @param files the files, in their order
 * @param styles the style of each line
 */
record UnifiedDiff(List<ChangedFile> files, List<Style> styles) {
  /** Copies the lists. */
  UnifiedDiff {
    files = List.copyOf(files);
    styles = List.copyOf(styles);
  }

  /**
   * A file that is changed. Its names are not safe to print.
   *
   * @param before its name before
   * @param after its name afterwards
   * @param added how many lines are added
   * @param removed how many lines are removed
   */
  record ChangedFile(String before, String after, int added, int removed) {
    private static final String NONE = "/dev/null";

    /** Returns its name; both of them where it is another one afterwards. Not safe to print. */
    String name() {
      boolean same =
          before.startsWith("a/")
              && after.startsWith("b/")
              && before.substring(2).equals(after.substring(2));
      if (same || before.equals(after)) {
        return same ? after.substring(2) : after;
      }
      if (before.equals(NONE)) {
        return "new file " + after;
      }
      return after.equals(NONE) ? "removed file " + before : before + " to " + after;
    }
  }

  /** Reads lines; empty if they are not a unified diff from begin to end. */
  static Optional<UnifiedDiff> read(List<String> lines) {
    Reader reader = new Reader();
    for (int at = 0; at < lines.size(); at++) {
      if (!reader.take(lines.get(at), at + 1 < lines.size() ? lines.get(at + 1) : "")) {
        return Optional.empty();
      }
    }
    return reader.end();
  }

  int added() {
    return files.stream().mapToInt(ChangedFile::added).sum();
  }

  int removed() {
    return files.stream().mapToInt(ChangedFile::removed).sum();
  }

  /** Reads line by line. */
  private static final class Reader {
    private static final Pattern HUNK =
        Pattern.compile("@@ -(\\d{1,9})(?:,(\\d{1,9}))? \\+(\\d{1,9})(?:,(\\d{1,9}))? @@.*");
    private static final String GIT = "diff --git ";
    private static final String BEFORE = "--- ";
    private static final String AFTER = "+++ ";
    private static final String NO_NEWLINE = "\\ No newline at end of file";

    private final List<ChangedFile> files = new ArrayList<>();
    private final List<Style> styles = new ArrayList<>();
    private Optional<ChangedFile> file = Optional.empty();
    private boolean afterComes;
    private boolean hunksMayCome;
    private boolean afterHunkLine;
    private int oldLeft;
    private int newLeft;

    /** Takes a line, and returns whether it may stand there. */
    boolean take(String line, String next) {
      if (oldLeft > 0 || newLeft > 0) {
        return takeInHunk(line);
      }
      if (afterHunkLine && line.equals(NO_NEWLINE)) {
        afterHunkLine = false;
        return add(Style.PLAIN);
      }
      afterHunkLine = false;
      if (afterComes) {
        afterComes = false;
        hunksMayCome = true;
        ChangedFile known = file.orElseThrow();
        file = Optional.of(new ChangedFile(known.before, name(line, AFTER), 0, 0));
        return add(Style.HEADING);
      }
      if (line.startsWith(BEFORE) && next.startsWith(AFTER)) {
        if (hunksMayCome || file.isEmpty()) {
          begin("");
        }
        file = Optional.of(new ChangedFile(name(line, BEFORE), "", 0, 0));
        afterComes = true;
        return add(Style.HEADING);
      }
      if (line.startsWith(GIT)) {
        begin(line.substring(GIT.length()));
        return add(Style.HEADING);
      }
      return takeBetween(line);
    }

    private boolean takeInHunk(String line) {
      char kind = line.isEmpty() ? ' ' : line.charAt(0);
      boolean old = kind == ' ' || kind == '-';
      boolean changed = kind == ' ' || kind == '+';
      if (line.equals(NO_NEWLINE) && afterHunkLine) {
        afterHunkLine = false;
        return add(Style.PLAIN);
      }
      if ((!old && !changed) || (old && oldLeft == 0) || (changed && newLeft == 0)) {
        return false;
      }
      oldLeft -= old ? 1 : 0;
      newLeft -= changed ? 1 : 0;
      afterHunkLine = true;
      ChangedFile known = file.orElseThrow();
      if (kind == '+') {
        file =
            Optional.of(new ChangedFile(known.before, known.after, known.added + 1, known.removed));
        return add(Style.ADDED);
      }
      if (kind == '-') {
        file =
            Optional.of(new ChangedFile(known.before, known.after, known.added, known.removed + 1));
        return add(Style.REMOVED);
      }
      return add(Style.PLAIN);
    }

    /** A hunk begins, or git or a mail says more about a file. */
    private boolean takeBetween(String line) {
      Matcher hunk = HUNK.matcher(line);
      if (hunk.matches()) {
        oldLeft = count(hunk.group(2));
        newLeft = count(hunk.group(4));
        return hunksMayCome && add(Style.POSITION);
      }
      boolean mail = line.equals("---") || line.equals("-- ");
      boolean changeOutsideOfHunk =
          line.startsWith("@@")
              || line.startsWith("+")
              || (line.startsWith("-") && !mail)
              || (line.startsWith(" ") && file.isPresent());
      return !changeOutsideOfHunk && add(Style.PLAIN);
    }

    private static int count(String group) {
      return group == null ? 1 : Integer.parseInt(group);
    }

    private void begin(String names) {
      file.ifPresent(files::add);
      file = Optional.of(new ChangedFile(names, names, 0, 0));
      hunksMayCome = false;
    }

    /** Returns a name without the time that some tools write behind it. */
    private static String name(String line, String marker) {
      String name = line.substring(marker.length());
      int tab = name.indexOf('\t');
      return tab < 0 ? name : name.substring(0, tab);
    }

    private boolean add(Style style) {
      styles.add(style);
      return true;
    }

    Optional<UnifiedDiff> end() {
      file.ifPresent(files::add);
      return oldLeft > 0 || newLeft > 0 || files.isEmpty()
          ? Optional.empty()
          : Optional.of(new UnifiedDiff(files, styles));
    }
  }
}
