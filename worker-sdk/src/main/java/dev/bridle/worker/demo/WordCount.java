package dev.bridle.worker.demo;

import java.text.Normalizer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counts words: runs of letters, marks and digits of any script, with single apostrophes inside.
 * Upper and lower case count as one (by {@link Locale#ROOT}), as do composed and decomposed letters
 * and both forms of the apostrophe.
 */
final class WordCount {
  private static final int CHECK_EVERY = 1 << 16;

  /** A word and its number of occurrences. */
  record Entry(String word, long count) {}

  private final Map<String, Long> counts = new HashMap<>();
  private final Runnable check;
  private long total;

  /** Counts words, and calls the check periodically, which may throw to abort. */
  WordCount(Runnable check) {
    this.check = check;
  }

  void add(String given) {
    String text = Normalizer.normalize(given, Normalizer.Form.NFC);
    int start = -1;
    int nextCheck = CHECK_EVERY;
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      int width = Character.charCount(point);
      boolean inside = partOfWord(point) || (start >= 0 && joins(text, at, point));
      if (inside && start < 0) {
        start = at;
      } else if (!inside && start >= 0) {
        count(text.substring(start, at));
        start = -1;
      }
      at += width;
      if (at >= nextCheck) {
        check.run();
        nextCheck += CHECK_EVERY;
      }
    }
    if (start >= 0) {
      count(text.substring(start));
    }
  }

  private static boolean partOfWord(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK,
          Character.COMBINING_SPACING_MARK,
          Character.ENCLOSING_MARK,
          Character.LETTER_NUMBER,
          Character.OTHER_NUMBER ->
          true;
      default -> Character.isLetterOrDigit(point);
    };
  }

  private static boolean joins(String text, int at, int point) {
    return (point == '\'' || point == '’')
        && partOfWord(text.codePointBefore(at))
        && at + 1 < text.length()
        && partOfWord(text.codePointAt(at + 1));
  }

  private void count(String found) {
    total++;
    counts.merge(found.replace('’', '\'').toLowerCase(Locale.ROOT), 1L, Long::sum);
  }

  long total() {
    return total;
  }

  int distinct() {
    return counts.size();
  }

  /** Returns the words by descending frequency, then by their characters. */
  List<Entry> ranked() {
    return counts.entrySet().stream()
        .map(entry -> new Entry(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Entry::count).reversed().thenComparing(Entry::word))
        .toList();
  }
}
