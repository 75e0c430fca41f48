package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * What is special about the commands of a resource. Commands are named without the resource, such
 * as {@code create} or {@code delivery list}; members of requests with dots between an object and
 * its member.
 */
final class Overrides {
  private final Map<String, Column[]> columns = new HashMap<>();
  private final Map<String, String> summaries = new HashMap<>();
  private final Map<String, String> examples = new HashMap<>();
  private final Map<String, List<String>> names = new HashMap<>();
  private final Map<String, String> helps = new HashMap<>();
  private final Map<String, List<Named>> options = new LinkedHashMap<>();
  private final Map<String, Map<String, JsonNode>> defaults = new HashMap<>();
  private final Set<String> omitted = new HashSet<>();
  private final Map<String, OptionSpec> extras = new HashMap<>();
  private final Map<String, Check> checks = new HashMap<>();
  private Optional<String> collection = Optional.empty();
  private final Map<String, Object> commands = new LinkedHashMap<>();

  /** An option for a member, by another name or with another syntax than the member's own. */
  record Named(String name, Optional<Syntax> syntax) {
    /** Returns whether the option has a value if it is absent. */
    boolean hasDefault() {
      return syntax.equals(Optional.of(Syntax.TEXT_FILE));
    }
  }

  /** Checks a request, or completes it, before defaults are added and it is sent. */
  interface Check {
    void apply(CommandLine line, ObjectNode body);
  }

  /** Sets the members that lines of text show of the resources that a command or group prints. */
  Overrides columns(String command, String... members) {
    return columns(command, Column.of(members));
  }

  Overrides columns(String command, Column... shown) {
    columns.put(command, shown);
    return this;
  }

  /** Sets the description of a command, and the arguments of its example. */
  Overrides command(String command, String summary, String example) {
    summaries.put(command, summary);
    return example(command, example);
  }

  Overrides example(String command, String arguments) {
    examples.put(command, arguments);
    return this;
  }

  /** Names the commands of an operation, instead of one with its own name. */
  Overrides names(String command, String... instead) {
    names.put(command, List.of(instead));
    return this;
  }

  /** Sets the name of the resource's collection in paths. */
  Overrides collection(String name) {
    collection = Optional.of(name);
    return this;
  }

  /** Names the option of a member. */
  Overrides option(String member, String name) {
    return option(member, new Named(name, Optional.empty()));
  }

  Overrides option(String member, String name, String help) {
    return option(member, name).help(name, help);
  }

  Overrides option(String member, String name, Syntax syntax, String help) {
    return option(member, new Named(name, Optional.of(syntax))).help(name, help);
  }

  private Overrides option(String member, Named option) {
    options.computeIfAbsent(member, key -> new ArrayList<>()).add(option);
    return this;
  }

  /** Sets the help text of an option. */
  Overrides help(String option, String text) {
    helps.put(option, text);
    return this;
  }

  /** Adds a flag to a command, for its check. */
  Overrides flag(String command, String name, String help) {
    extras.put(command, OptionSpec.builder(name).type(boolean.class).description(help).build());
    return this;
  }

  /** Sets the value that a command gives a member if nothing else does. */
  Overrides byDefault(String command, String member, String json) {
    defaults
        .computeIfAbsent(command, key -> new LinkedHashMap<>())
        .put(member, JsonLines.parse(json).orElseThrow());
    return this;
  }

  /** Leaves out a command, a group of commands, or the option of a member. */
  Overrides without(String... left) {
    omitted.addAll(List.of(left));
    return this;
  }

  Overrides check(String command, Check check) {
    checks.put(command, check);
    return this;
  }

  /** Requires exactly one of two options. */
  Overrides exactlyOne(String command, String one, String other) {
    return check(
        command,
        (line, body) -> {
          if (line.getParseResult().hasMatchedOption(one)
              == line.getParseResult().hasMatchedOption(other)) {
            throw new ParameterException(
                line, "Expected exactly one of " + one + " and " + other + ".");
          }
        });
  }

  /** Adds a command that is written by hand. */
  Overrides add(String command, Object written) {
    commands.put(command, written);
    return without(command);
  }

  /** Returns the columns of a command, else of its group. */
  Optional<Column[]> columns(String command) {
    String group = command.substring(0, Math.max(0, command.lastIndexOf(' ')));
    return Optional.ofNullable(columns.getOrDefault(command, columns.get(group)));
  }

  Optional<String> summary(String command) {
    return Optional.ofNullable(summaries.get(command));
  }

  Optional<String> example(String command) {
    return Optional.ofNullable(examples.get(command));
  }

  /** Returns the names of the commands of an operation. */
  List<String> names(String command) {
    return names.getOrDefault(command, List.of(command.substring(command.lastIndexOf(' ') + 1)));
  }

  /** Returns whether a word of a path is the resource's collection. */
  boolean isCollection(String word, String noun) {
    return collection.map(word::equals).orElse(Words.singular(word).equals(noun));
  }

  List<Named> options(String member) {
    return options.getOrDefault(member, List.of());
  }

  /** Returns the members of an object that have options. */
  List<String> membersOf(String object) {
    return options.keySet().stream().filter(each -> each.startsWith(object + ".")).toList();
  }

  Optional<String> help(String option) {
    return Optional.ofNullable(helps.get(option));
  }

  /** Returns the values that a command gives members if nothing else does. */
  Map<String, JsonNode> defaults(String command) {
    return defaults.getOrDefault(command, Map.of());
  }

  boolean omits(String left) {
    return omitted.contains(left);
  }

  Optional<OptionSpec> extra(String command) {
    return Optional.ofNullable(extras.get(command));
  }

  Optional<Check> check(String command) {
    return Optional.ofNullable(checks.get(command));
  }

  /** Returns the commands that are written by hand. */
  Map<String, Object> commands() {
    return commands;
  }
}
