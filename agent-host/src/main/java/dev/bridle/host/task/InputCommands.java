package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The commands in an input, by the names that rules find them by, wherever in it they stand. */
final class InputCommands {
  private static final Set<String> PROGRAMS = Set.of("command", "cmd", "program", "executable");
  private static final Set<String> ARGUMENTS = Set.of("args", "arguments");

  /** Arguments that begin with their program, unless there is one beside them. */
  private static final String BOTH = "argv";

  private final Set<List<String>> found = new LinkedHashSet<>();

  private InputCommands() {}

  /**
   * Returns the commands, each as its words, or as a line.
   *
   * @param isCommand whether an input that is no object is one as a whole
   */
  static Set<List<String>> of(JsonNode input, boolean isCommand) {
    InputCommands commands = new InputCommands();
    if (isCommand && !input.isObject()) {
      commands.add(words(input), List.of());
    }
    commands.collect(input);
    return commands.found;
  }

  private void collect(JsonNode value) {
    List<List<String>> programs = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    List<String> both = new ArrayList<>();
    value
        .properties()
        .forEach(
            member -> {
              String name = member.getKey();
              if (PROGRAMS.contains(name)) {
                programs.add(words(member.getValue()));
              } else if (ARGUMENTS.contains(name)) {
                arguments.addAll(words(member.getValue()));
              } else if (name.equals(BOTH)) {
                both.addAll(words(member.getValue()));
              }
            });
    if (programs.isEmpty()) {
      add(both, List.of());
    } else {
      arguments.addAll(both);
      programs.forEach(program -> add(program, arguments));
    }
    value.forEach(this::collect);
  }

  private void add(List<String> program, List<String> arguments) {
    List<String> all = new ArrayList<>(program);
    all.addAll(arguments);
    if (!program.isEmpty() && !String.join("", all).isBlank()) {
      found.add(List.copyOf(all));
    }
  }

  /** Returns the texts of a list, also of lists in it, or the text itself. */
  private static List<String> words(JsonNode value) {
    if (value.isTextual()) {
      return List.of(value.textValue());
    }
    List<String> words = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(inside -> words.addAll(words(inside)));
    }
    return words;
  }
}
