package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The group of commands about quotas. */
@Command(
    name = "quota",
    description = "Manage quotas that personas and workspaces refer to.",
    subcommands = {
      GetResourceCommand.class,
      ListResourcesCommand.class,
      UpdateResourceCommand.class
    },
    footer = {"%nExample:", "  bridle quota list"})
public final class QuotaCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public QuotaCommand() {
    super("/v1/quotas", "scope", "limits", "usage");
  }

  @Command(
      name = "create",
      description = "Create a quota.",
      footer = {
        "%nExample:",
        "  bridle quota create --scope workspace --limit tasks=100 --limit concurrency=4"
      })
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--scope",
              paramLabel = "SCOPE",
              required = true,
              description = "The scope: persona, workspace, tenant or organization.")
          String scope,
      @Option(
              names = "--limit",
              paramLabel = "NAME=NUMBER",
              required = true,
              description = "A limit, such as tasks=100; can be repeated.")
          Map<String, Double> limits,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    ObjectNode ceilings = body.put("scope", scope).putObject("limits");
    limits.forEach(ceilings::put);
    create(server, shown, body);
  }
}
