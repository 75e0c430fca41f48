package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The texts of an input, which may say themselves what an edit changes. */
final class InputTexts {
  private final Set<String> texts = new HashSet<>();
  private final Set<String> lines = new HashSet<>();

  private InputTexts() {}

  static InputTexts of(JsonNode input) {
    InputTexts texts = new InputTexts();
    texts.collect(input);
    return texts;
  }

  private void collect(JsonNode value) {
    if (value.isTextual()) {
      FileChange text = new FileChange("", Optional.empty(), value.textValue());
      texts.add(text.plain().newText());
      text.plainLines().newText().lines().forEach(lines::add);
    }
    value.forEach(this::collect);
  }

  /** Returns whether they have the text after a change, or the lines of it as a patch has them. */
  boolean say(FileChange change) {
    FileChange plain = change.plain();
    boolean isText =
        texts.contains(plain.newText())
            && (!plain.newText().isEmpty() || texts.contains(plain.before()));
    return isText || isPatched(plain);
  }

  private boolean isPatched(FileChange change) {
    List<String> before = change.before().lines().toList();
    List<String> after = change.newText().lines().toList();
    Set<String> changed = new HashSet<>();
    addChanged(after, before, "+", changed);
    addChanged(before, after, "-", changed);
    return !changed.isEmpty() && lines.containsAll(changed);
  }

  private static void addChanged(
      List<String> lines, List<String> others, String sign, Set<String> changed) {
    Set<String> there = new HashSet<>(others);
    lines.stream().filter(line -> !there.contains(line)).forEach(line -> changed.add(sign + line));
  }
}
