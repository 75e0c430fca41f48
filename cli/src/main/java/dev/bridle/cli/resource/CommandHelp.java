package dev.bridle.cli.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the description and the example of a command. */
final class CommandHelp {
  private final Overrides overrides;
  private final String command;
  private final String name;
  private final String noun;

  CommandHelp(Overrides overrides, String resource, String command) {
    this.overrides = overrides;
    this.command = command;
    int space = command.lastIndexOf(' ');
    this.name = command.substring(space + 1);
    this.noun = space < 0 ? resource : command.substring(0, space);
  }

  void describe(CommandSpec spec, String collection, List<MemberOption> options) {
    List<String> description =
        overrides.summary(command).map(text -> text.lines().toList()).orElse(standard(collection));
    spec.usageMessage().description(description.toArray(String[]::new));
    String arguments = overrides.example(command).orElseGet(() -> arguments(spec, options));
    List<String> footer = new ArrayList<>(List.of("%nExample:"));
    arguments
        .lines()
        .map(line -> line.startsWith(" ") ? "  " + line : "  ${COMMAND-FULL-NAME} " + line)
        .forEach(footer::add);
    spec.usageMessage().footer(footer.toArray(String[]::new));
  }

  private List<String> standard(String collection) {
    return switch (name) {
      case "list" -> List.of("List " + collection + ", newest first.");
      case "create" -> List.of("Create " + Words.one(noun) + ".");
      case "get" -> List.of("Show " + Words.one(noun) + ".");
      case "update" ->
          List.of(
              "Update the given members of " + Words.one(noun) + ".",
              "In --set, null clears a member; objects and lists are replaced as a whole.");
      case "delete" -> List.of("Delete " + Words.one(noun) + " permanently.");
      case "pause" -> List.of("Pause " + Words.one(noun) + " until it is resumed.");
      case "resume" -> List.of("Resume a paused " + noun + ".");
      default -> List.of(Words.capitalized(name) + " " + Words.one(noun) + ".");
    };
  }

  private String arguments(CommandSpec spec, List<MemberOption> options) {
    List<String> words = new ArrayList<>();
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      words.add(parameter.paramLabel());
    }
    for (MemberOption option : options) {
      OptionSpec each = option.spec();
      if (each.required()) {
        words.add(each.longestName() + " " + each.paramLabel());
      }
    }
    switch (name) {
      case "get" -> words.add("--json");
      case "update" -> words.add("--set '{\"metadata\":{\"team\":\"core\"}}'");
      case "list" ->
          words.add(spec.findOption("--workspace") == null ? "--limit 10" : "--workspace default");
      default -> {}
    }
    return String.join(" ", words);
  }

  /** Returns a parameter for a part of a path. */
  static PositionalParamSpec.Builder parameter(String field, String resource) {
    int end = field.lastIndexOf('_');
    String owner = field.substring(0, Math.max(0, end)).replace('_', ' ');
    String part = field.substring(end + 1);
    boolean id = part.equals("id");
    String label = !id ? part : owner.equals(resource) ? part : owner;
    return PositionalParamSpec.builder()
        .paramLabel(label.toUpperCase(Locale.ROOT))
        .description("The " + owner + "'s " + part + ".");
  }
}
