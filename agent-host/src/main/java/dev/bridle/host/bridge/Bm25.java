package dev.bridle.host.bridge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ranks short texts by the words that they share with a query (Okapi BM25). Rare words count more
 * than common ones, and a word in a short text more than in a long one.
 */
final class Bm25 {
  private static final double K1 = 1.2;
  private static final double B = 0.75;

  /**
   * Words of names in any spelling: {@code deployService}, {@code deploy_service}, {@code
   * HTTP2Get}.
   */
  private static final Pattern WORD =
      Pattern.compile("\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?[\\p{Ll}\\p{Lo}\\p{M}]+|\\p{N}+");

  private final Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();
  private final Map<String, Integer> found = new HashMap<>();
  private double meanLength = 1;

  /**
   * A text and how well it fits.
   *
   * @param score above zero; only to be compared with others of the same query
   */
  record Ranked(String name, double score) {}

  /** Prepares texts by their names; the order of equal ones stays. */
  Bm25(Map<String, String> texts) {
    long words = 0;
    for (Map.Entry<String, String> text : texts.entrySet()) {
      Map<String, Integer> count = new HashMap<>();
      for (String word : words(text.getValue())) {
        count.merge(word, 1, Integer::sum);
        words++;
      }
      count.keySet().forEach(word -> found.merge(word, 1, Integer::sum));
      counts.put(text.getKey(), count);
    }
    if (words > 0) {
      meanLength = (double) words / texts.size();
    }
  }

  /** Returns what shares a word with the query, the best first. */
  List<Ranked> rank(String query) {
    Set<String> wanted = new HashSet<>(words(query));
    List<Ranked> ranked = new ArrayList<>();
    counts.forEach(
        (name, count) -> {
          double score = score(count, wanted);
          if (score > 0) {
            ranked.add(new Ranked(name, score));
          }
        });
    ranked.sort(Comparator.comparingDouble(Ranked::score).reversed());
    return ranked;
  }

  private double score(Map<String, Integer> count, Set<String> wanted) {
    double length = count.values().stream().mapToInt(Integer::intValue).sum();
    double score = 0;
    for (String word : wanted) {
      int times = count.getOrDefault(word, 0);
      if (times > 0) {
        double with = found.get(word);
        double rarity = Math.log(1 + (counts.size() - with + 0.5) / (with + 0.5));
        score += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * length / meanLength));
      }
    }
    return score;
  }

  /** Returns the words of a text in lower case, without a plural's ending. */
  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(text);
    while (matcher.find()) {
      String word = matcher.group().toLowerCase(Locale.ROOT);
      boolean plural = word.length() > 3 && word.endsWith("s") && !word.endsWith("ss");
      words.add(plural ? word.substring(0, word.length() - 1) : word);
    }
    return words;
  }
}
