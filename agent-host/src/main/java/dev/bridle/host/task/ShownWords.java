package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** All texts that were shown of an action of which it is not known exactly what will be done. */
final class ShownWords {
  static final ShownWords NONE = new ShownWords(List.of());

  private final List<String> texts;

  private ShownWords(List<String> texts) {
    this.texts = texts;
  }

  /** Returns those of an action; none of one that is known exactly. */
  static ShownWords of(AskedAction action) {
    if (action.notExact().isEmpty()) {
      return NONE;
    }
    List<String> texts = new ArrayList<>();
    collect(action.content(), texts);
    collect(action.said(), texts);
    return new ShownWords(List.copyOf(texts));
  }

  private static void collect(JsonNode value, List<String> texts) {
    if (value.isTextual()) {
      texts.add(value.textValue());
    }
    value.forEach(inside -> collect(inside, texts));
  }

  /** Returns whether a text stands there by itself: more of its line may only be in brackets. */
  boolean have(String text) {
    Pattern whole =
        Pattern.compile("(?<![^\\n`\"'])" + Pattern.quote(text) + "(?=$|[\\n`\"']|\\s+[\\[(])");
    return texts.stream().anyMatch(shown -> whole.matcher(shown).find());
  }
}
