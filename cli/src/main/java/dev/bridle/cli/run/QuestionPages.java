package dev.bridle.cli.run;

import java.util.ArrayList;
import java.util.List;

/**
 * A question's lines, page by page where they are too many to be read at once: nobody approves what
 * was not shown.
 */
final class QuestionPages {
  /** Up to so many characters are shown at once. */
  static final int MOST_AT_ONCE = 64 << 10;

  private static final int OF_PAGE = 8 << 10;
  private static final int LINES_OF_PAGE = 100;

  /** Longer lines are cut into several. */
  private static final int LONGEST = 2000;

  private final List<List<String>> pages = new ArrayList<>();
  private int shown;

  QuestionPages(List<String> lines) {
    long characters = lines.stream().mapToLong(String::length).sum();
    if (characters <= MOST_AT_ONCE) {
      pages.add(lines);
      return;
    }
    List<String> page = new ArrayList<>();
    int size = 0;
    for (String line : lines) {
      for (int from = 0; from == 0 || from < line.length(); from += LONGEST) {
        String piece = line.substring(from, Math.min(line.length(), from + LONGEST));
        if (!page.isEmpty() && (size + piece.length() > OF_PAGE || page.size() == LINES_OF_PAGE)) {
          pages.add(page);
          page = new ArrayList<>();
          size = 0;
        }
        page.add(from == 0 ? piece : "    " + piece);
        size += piece.length();
      }
    }
    pages.add(page);
  }

  /** Returns the next page, with a line that says which it is where there are several. */
  List<String> next() {
    List<String> page = new ArrayList<>(pages.get(shown));
    shown++;
    if (pages.size() > 1) {
      page.add("page " + shown + " of " + pages.size());
    }
    return page;
  }

  /** Returns how many pages were not shown yet. */
  int left() {
    return pages.size() - shown;
  }
}
