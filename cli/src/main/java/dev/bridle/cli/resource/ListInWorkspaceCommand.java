package dev.bridle.cli.resource;

import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Lists resources of a kind that can be filtered by workspace. */
@Command(
    name = "list",
    description = "List resources, newest first.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} --workspace default"})
final class ListInWorkspaceCommand implements Runnable {
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "Show only results of this workspace.")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
      defaultValue = "50")
  private int limit;

  @Override
  public void run() {
    String query = workspace.map(id -> "?workspace_id=" + RestClient.escape(id)).orElse("");
    group.list(server, shown, query, limit);
  }
}
