package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Lists resources of a kind that has no filters. */
@Command(
    name = "list",
    description = "List resources, newest first.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} --limit 10"})
final class ListResourcesCommand implements Runnable {
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
      defaultValue = "50")
  private int limit;

  @Override
  public void run() {
    group.list(server, shown, "", limit);
  }
}
