package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The group of commands about personas. */
@Command(
    name = "persona",
    description = "Manage personas, the roles that tasks run as.",
    subcommands = {
      GetResourceCommand.class,
      ListResourcesCommand.class,
      UpdateResourceCommand.class
    },
    footer = {"%nExample:", "  bridle persona list"})
public final class PersonaCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public PersonaCommand() {
    super("/v1/personas", "name", "version", "autonomy_tier", "receipt_policy");
  }

  @Command(
      name = "create",
      description = "Create a persona.",
      footer = {
        "%nExample:",
        "  bridle persona create --name Reviewer --contract-version 1 --entry-workflow"
            + " review.harn \\",
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
              description = "The workflow or module that is run first.")
          String workflow,
      @Option(
              names = "--description",
              paramLabel = "TEXT",
              required = true,
              description = "What the persona is responsible for.")
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
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("name", name).put("version", version).put("entry_workflow", workflow);
    body.put("description", description).put("autonomy_tier", tier);
    body.put("receipt_policy", receipts);
    create(server, shown, body);
  }
}
