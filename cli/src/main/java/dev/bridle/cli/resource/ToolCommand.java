package dev.bridle.cli.resource;

import picocli.CommandLine.Command;

/** The group of commands about the tools that a server exposes. */
@Command(
    name = "tool",
    description = "List and show the tools that the server exposes.",
    subcommands = {GetResourceCommand.class, ListResourcesCommand.class},
    footer = {"%nExample:", "  bridle tool list"})
public final class ToolCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public ToolCommand() {
    super("/v1/tools", "name", "description");
  }
}
