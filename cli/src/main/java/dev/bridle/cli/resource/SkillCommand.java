package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The group of commands about skills. */
@Command(
    name = "skill",
    description = "Manage skills that sessions refer to.",
    subcommands = {
      GetResourceCommand.class,
      ListResourcesCommand.class,
      UpdateResourceCommand.class
    },
    footer = {"%nExample:", "  bridle skill list"})
public final class SkillCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public SkillCommand() {
    super("/v1/skills", "name", "description");
  }

  @Command(
      name = "create",
      description = "Create a skill.",
      footer = {
        "%nExample:",
        "  bridle skill create --name count_words --description 'Counts words'"
      })
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--name",
              paramLabel = "TEXT",
              required = true,
              description = "The display or callable name.")
          String name,
      @Option(
              names = "--description",
              paramLabel = "TEXT",
              required = true,
              description = "What the skill does.")
          String description,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("name", name).put("description", description);
    create(server, shown, body);
  }
}
