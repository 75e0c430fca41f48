package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The little that a terminal shows of what a tool call gave back; the record has more. */
final class BriefOutput {
  private static final int MOST_LINES = 6;
  private static final int MOST_LENGTH = 160;

  /** What only reads gives back what is there already. */
  private static final Set<String> QUIET = Set.of("read", "search", "think", "fetch");

  private BriefOutput() {}

  /** Returns the last lines of a call's output, each safe to print. */
  static List<String> lines(JsonNode payload) {
    List<String> all = new ArrayList<>();
    if (QUIET.contains(payload.path("kind").asText())) {
      return all;
    }
    for (JsonNode part : payload.path("output")) {
      switch (part.path("type").asText()) {
        case "text", "raw" -> {
          part.path("text").asText("").lines().forEach(all::add);
          part.path("tail").asText("").lines().forEach(all::add);
        }
        case "diff" -> all.add(changed(part));
        default -> {}
      }
    }
    List<String> last = new ArrayList<>();
    int from = Math.max(0, all.size() - MOST_LINES);
    if (from > 0) {
      last.add("⟨… " + from + " lines before⟩");
    }
    all.subList(from, all.size()).forEach(line -> last.add(shown(line)));
    return last;
  }

  private static String changed(JsonNode diff) {
    boolean isCut = diff.has("tail");
    List<String> lines = new ArrayList<>(diff.path("text").asText("").lines().toList());
    // The first line of the end may be no more than the end of a line.
    diff.path("tail").asText("").lines().skip(1).forEach(lines::add);
    long added = lines.stream().filter(line -> line.startsWith("+")).count();
    long removed = lines.stream().filter(line -> line.startsWith("-")).count();
    return diff.path("path").asText("") + (isCut ? "  at least +" : "  +") + added + " -" + removed;
  }

  private static String shown(String line) {
    String plain = line.replace("\t", "  ");
    boolean isLong = plain.codePointCount(0, plain.length()) > MOST_LENGTH;
    String beginning =
        isLong ? plain.substring(0, plain.offsetByCodePoints(0, MOST_LENGTH)) : plain;
    return ShownText.line(beginning) + (isLong ? " ⟨…⟩" : "");
  }
}
