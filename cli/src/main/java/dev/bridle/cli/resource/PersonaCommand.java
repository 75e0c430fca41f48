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

/** The group of commands about personas. */
@Command(
    name = "persona",
    description = "Make, change, show and list personas: what the tasks that name them may do.",
    footer = {"%nExample:", "  bridle persona list"})
public final class PersonaCommand implements Runnable {
  private static final String PATH = "/v1/personas";
  private static final String[] MEMBERS = {"name", "version", "autonomy_tier", "receipt_policy"};

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public PersonaCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }

  @Command(
      name = "get",
      description = "Show a persona.",
      footer = {"%nExample:", "  bridle persona get persona_01J9 --json"})
  void get(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "PERSONA", description = "The persona's id.") String id) {
    shown.one(
        server.connect().get(PATH + "/" + RestClient.escape(id)),
        spec.commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "create",
      description = "Make a persona.",
      footer = {
        "%nExample:",
        "  bridle persona create --name Reviewer --contract-version 1 --entry-workflow review.harn \\",
        "    --description 'Reviews changes' --autonomy-tier suggest --receipt-policy optional"
      })
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--name",
              paramLabel = "TEXT",
              required = true,
              description = "The display name.")
          String name,
      @Option(
              names = "--contract-version",
              paramLabel = "TEXT",
              required = true,
              description = "The version of the persona's contract.")
          String version,
      @Option(
              names = "--entry-workflow",
              paramLabel = "TEXT",
              required = true,
              description = "The workflow or module that it starts with.")
          String workflow,
      @Option(
              names = "--description",
              paramLabel = "TEXT",
              required = true,
              description = "What it is responsible for.")
          String description,
      @Option(
              names = "--autonomy-tier",
              paramLabel = "TIER",
              required = true,
              description = "shadow, suggest, act_with_approval or act_auto.")
          String tier,
      @Option(
              names = "--receipt-policy",
              paramLabel = "POLICY",
              required = true,
              description = "required, optional or disabled.")
          String receipts,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Further members, as a JSON object.")
          Optional<String> members) {
    RestClient client = server.connect();
    ObjectNode body = Shown.object(members, "--set");
    body.put("name", name).put("version", version).put("entry_workflow", workflow);
    body.put("description", description).put("autonomy_tier", tier);
    body.put("receipt_policy", receipts);
    shown.one(
        client.post(PATH, body, UUID.randomUUID().toString()),
        spec.commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "list",
      description = "List personas, newest first.",
      footer = {"%nExample:", "  bridle persona list --limit 10"})
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
        "  bridle persona update persona_01J9 --set '{\"metadata\":{\"team\":\"core\"}}'"
      })
  void update(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "PERSONA", description = "The persona's id.") String id,
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
