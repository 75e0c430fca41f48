package dev.bridle.host.acp;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words of an agent in a sentence for people: an agent may offer hundreds, and long ones. */
final class Listed {
  private static final int MOST = 40;
  private static final int LONGEST = 200;

  private Listed() {}

  static String of(Stream<String> words) {
    List<String> all = words.filter(word -> !word.isBlank()).toList();
    if (all.isEmpty()) {
      return "none";
    }
    String first = all.stream().limit(MOST).map(Listed::cut).collect(Collectors.joining(", "));
    return all.size() > MOST ? first + " and " + (all.size() - MOST) + " more" : first;
  }

  private static String cut(String word) {
    return word.length() > LONGEST ? word.substring(0, LONGEST) + "…" : word;
  }
}
