package dev.bridle.cli.resource;

import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.contract.Contract;
import dev.bridle.cli.contract.Contract.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Creates the commands of a resource from the services of the contract: one for each operation on
 * the resource's collection, named for the method and path that REST has.
 */
public final class ResourceCommands {
  private static final String ROOT = "";

  private final String noun;
  private final Overrides overrides;
  private final Map<String, CommandSpec> groups = new LinkedHashMap<>();

  /** The paths of all collections. */
  private final Set<String> collections = new HashSet<>();

  private ResourceCommands(String noun, CommandSpec root) {
    this.noun = noun;
    this.overrides = OverrideTable.of(noun);
    groups.put(ROOT, root);
  }

  /** Returns the group of a resource's commands without them, for the list of all commands. */
  public static CommandSpec group(String noun, String summary) {
    return group(noun, summary, "--help");
  }

  /**
   * Returns the group of a resource's commands.
   *
   * @param noun the name of the resource and of the group
   * @param services the full names of the services that have operations on its collection
   */
  public static CommandSpec group(String noun, String summary, List<String> services) {
    ResourceCommands commands = new ResourceCommands(noun, group(noun, summary, "list"));
    List<Operation> operations = new ArrayList<>();
    services.forEach(service -> operations.addAll(Contract.operations(service)));
    commands.add(operations);
    return commands.groups.get(ROOT);
  }

  private static CommandSpec group(String name, String summary, String example) {
    CommandSpec group = CommandSpec.forAnnotatedObject(new ResourceGroup()).name(name);
    group
        .usageMessage()
        .description(summary)
        .footer("%nExample:", "  ${COMMAND-FULL-NAME} " + example);
    return group;
  }

  private void add(List<Operation> operations) {
    for (Operation operation : operations) {
      if (operation.verb().equals("GET") && !operation.path().endsWith("}")) {
        collections.add(operation.path());
      }
    }
    for (Operation operation : operations) {
      List<String> path = Arrays.asList(operation.path().split("/"));
      for (int i = path.size() - 1; i > 0; i--) {
        if (overrides.isCollection(path.get(i), noun)) {
          place(operation, path, i, ROOT);
          break;
        }
      }
    }
    overrides
        .commands()
        .forEach(
            (command, written) -> {
              int space = command.lastIndexOf(' ');
              String parent = command.substring(0, Math.max(0, space));
              groups
                  .get(parent)
                  .addSubcommand(
                      command.substring(space + 1), CommandSpec.forAnnotatedObject(written));
            });
  }

  /** Adds an operation to a group whose collection is a segment of the operation's path. */
  private void place(Operation operation, List<String> path, int collection, String group) {
    int action = collection + 2;
    if (path.size() <= action) {
      boolean all = path.size() == collection + 1;
      add(operation, group, standard(operation.verb(), all));
    } else if (collections.contains(String.join("/", path.subList(0, action + 1)))) {
      String name = Words.singular(path.get(action));
      String sub = group.isEmpty() ? name : group + " " + name;
      if (!overrides.omits(sub)) {
        groups.computeIfAbsent(sub, key -> subgroup(group, key, name));
        place(operation, path, action, sub);
      }
    } else {
      add(operation, group, Words.hyphenated(path.get(action)));
    }
  }

  private CommandSpec subgroup(String parent, String key, String name) {
    String example = overrides.example(key).orElse("list ID");
    CommandSpec group =
        group(name, overrides.summary(key).orElse("Manage " + name + " resources."), example);
    groups.get(parent).addSubcommand(name, group);
    return group;
  }

  private static String standard(String verb, boolean all) {
    return switch (verb) {
      case "GET" -> all ? "list" : "get";
      case "POST" -> "create";
      case "PUT" -> "set";
      case "PATCH" -> "update";
      default -> "delete";
    };
  }

  /** Adds the commands of an operation, unless another operation has their names. */
  private void add(Operation operation, String group, String action) {
    String prefix = group.isEmpty() ? "" : group + " ";
    for (String name : overrides.names(prefix + action)) {
      CommandSpec parent = groups.get(group);
      if (!overrides.omits(prefix + name) && !parent.subcommands().containsKey(name)) {
        parent.addSubcommand(
            name, new OperationCommand(overrides, noun, prefix + name, operation).line());
      }
    }
  }

  /** The group of a resource's commands. */
  @Command(name = "resource")
  private static final class ResourceGroup extends CommandGroup {}
}
