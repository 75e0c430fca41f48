package dev.bridle.cli.permission;

import dev.bridle.cli.console.Listing;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists standing grants, newest first. */
@Command(
    name = "list",
    description = "List standing grants, newest first, including ended ones.",
    footer = {"%nExample:", "  bridle grant list --session session_01J9"})
final class ListGrantsCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Show only results of this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
      defaultValue = "50")
  private int limit;

  @Option(names = "--json", description = "Print each grant as a line of JSON.")
  private boolean json;

  @Override
  public void run() {
    PermissionOutput output = new PermissionOutput(spec.commandLine().getOut(), json);
    try (Listing list = output.grants()) {
      Paging.rows(
          server.connect(),
          "/v1/permission-grants",
          Paging.filter("session_id", session),
          limit,
          grant -> output.addGrant(list, grant));
    }
  }
}
