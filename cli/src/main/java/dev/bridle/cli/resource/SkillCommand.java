package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The group of commands about skills. */
@Command(
    name = "skill",
    description = "Make, change, show and list skills, which sessions name.",
    footer = {"%nExample:", "  bridle skill list"})
public final class SkillCommand implements Runnable {
  private static final String PATH = "/v1/skills";
  private static final String[] MEMBERS = {"name", "description"};

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public SkillCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }

  @Command(
      name = "get",
      description = "Show a skill.",
      footer = {"%nExample:", "  bridle skill get skill_01J9 --json"})
  void get(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SKILL", description = "The skill's id.") String id) {
    shown.one(
        server.connect().get(PATH + "/" + RestClient.escape(id)),
        spec.commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "create",
      description = "Make a skill.",
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
              description = "What it does.")
          String description,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Further members, as a JSON object.")
          Optional<String> members) {
    RestClient client = server.connect();
    ObjectNode body = Shown.object(members, "--set");
    body.put("name", name).put("description", description);
    shown.one(
        client.post(PATH, body, UUID.randomUUID().toString()),
        spec.commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "list",
      description = "List skills, newest first.",
      footer = {"%nExample:", "  bridle skill list --limit 10"})
  void list(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--limit",
              paramLabel = "N",
              description = "How many at most (default: ${DEFAULT-VALUE}).",
              defaultValue = "50")
          int limit) {
    shown.all(server.connect(), PATH, limit, spec.commandLine().getOut(), MEMBERS);
  }

  @Command(
      name = "update",
      description = {
        "Change the members that --set names.",
        "null clears a member; metadata and lists are replaced whole."
      },
      footer = {
        "%nExample:",
        "  bridle skill update skill_01J9 --set '{\"metadata\":{\"team\":\"core\"}}'"
      })
  void update(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SKILL", description = "The skill's id.") String id,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              required = true,
              description = "The members to change, as a JSON object.")
          String members) {
    shown.one(
        server
            .connect()
            .patch(
                PATH + "/" + RestClient.escape(id),
                Shown.object(Optional.of(members), "--set"),
                UUID.randomUUID().toString()),
        spec.commandLine().getOut(),
        MEMBERS);
  }
}
