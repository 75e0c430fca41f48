package dev.bridle.cli.resource;

import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.bridle.cli.contract.Contract;
import dev.bridle.cli.contract.Contract.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Creates the options of a command from the fields of its request. */
final class OptionReader {
  /** The options that all commands have. */
  private static final Set<String> TAKEN =
      Set.of("--url", "--api-key", "--api-key-file", "--json", "--set", "--help", "--version");

  /** The members of every request for a page, which the command sets itself. */
  private static final Set<String> PAGING = Set.of("limit", "cursor");

  private final Overrides overrides;
  private final String noun;
  private final String command;
  private final Set<String> defaults;
  private final Operation operation;
  private final Set<String> taken = new HashSet<>(TAKEN);
  private final List<MemberOption> options = new ArrayList<>();

  private OptionReader(Overrides overrides, String noun, String command, Operation operation) {
    this.overrides = overrides;
    this.noun = noun;
    this.command = command;
    this.defaults = overrides.defaults(command).keySet();
    this.operation = operation;
    if (operation.isList()) {
      taken.add("--limit");
    }
  }

  /**
   * Returns the options of an operation.
   *
   * @param noun the name of the resource, which distinguishes its options from those of all
   *     commands
   */
  static List<MemberOption> read(
      Overrides overrides, String noun, String command, Operation operation) {
    OptionReader reader = new OptionReader(overrides, noun, command, operation);
    for (FieldDescriptor field : Contract.members(operation.request())) {
      boolean paging = operation.isList() && PAGING.contains(field.getName());
      if (!paging && !operation.hasInPath(field)) {
        reader.add(field.getName(), field, Contract.isRequired(field));
      }
    }
    return reader.options;
  }

  private void add(String path, FieldDescriptor field, boolean required) {
    // An update replaces an object as a whole, so it has no options for members of objects.
    List<String> members = operation.isUpdate() ? List.of() : overrides.membersOf(path);
    for (String member : members) {
      String name = member.substring(path.length() + 1).replaceAll("\\..*", "");
      String inside = path + "." + name;
      if (options.stream().noneMatch(each -> each.isIn(inside))) {
        FieldDescriptor inner = field.getMessageType().findFieldByName(name);
        add(inside, inner, required && Contract.isRequired(inner));
      }
    }
    if (!members.isEmpty() || overrides.omits(path) || overrides.omits(command + " " + path)) {
      return;
    }
    List<Overrides.Named> named = overrides.options(path);
    boolean needed =
        required
            && !operation.isUpdate()
            && !defaults.contains(path)
            && named.size() < 2
            && named.stream().noneMatch(Overrides.Named::hasDefault);
    if (named.isEmpty()) {
      Syntax syntax = Syntax.of(field);
      option(nameOf(field, syntax), path, field, syntax, needed);
    }
    for (Overrides.Named each : named) {
      option(each.name(), path, field, each.syntax().orElse(Syntax.of(field)), needed);
    }
  }

  private void option(
      String name, String path, FieldDescriptor field, Syntax syntax, boolean required) {
    taken.add(name);
    options.add(MemberOption.of(name, path, field, syntax, help(name, field), required));
  }

  /** Returns the name of an option: without what its label says, if that is unambiguous. */
  private String nameOf(FieldDescriptor field, Syntax syntax) {
    String full = field.getName();
    String unitless =
        syntax == Syntax.DURATION
            ? full.substring(0, full.length() - Syntax.SECONDS.length())
            : full;
    String single = field.isRepeated() ? Words.singular(unitless) : unitless;
    String shortest = single.replaceFirst("^target_", "").replaceFirst("_id$", "");
    for (String name : List.of(shortest, single)) {
      if (!taken.contains("--" + Words.hyphenated(name))) {
        return "--" + Words.hyphenated(name);
      }
    }
    return "--" + noun + "-" + Words.hyphenated(single);
  }

  /** Returns a help text that needs no comment; empty if there is none. */
  private String help(String name, FieldDescriptor field) {
    return overrides
        .help(name)
        .map(help -> operation.isUpdate() ? help.replaceFirst(" \\(default: .*\\)", "") : help)
        .orElseGet(() -> operation.isList() ? filter(field) : "");
  }

  private static String filter(FieldDescriptor field) {
    String noun = field.getName().replaceFirst("_id$", "").replace('_', ' ');
    List<String> choices = Contract.values(field);
    return "Show only results "
        + (noun.length() < field.getName().length() ? "of this " : "with this ")
        + noun
        + (choices.isEmpty() ? "." : ": " + String.join(", ", choices) + ".");
  }
}
