package dev.bridle.cli.resource;

import picocli.CommandLine.Command;

/** The group of commands about workspaces. */
@Command(
    name = "workspace",
    description = "Show, change and list workspaces, and work with their files.",
    subcommands = {
      GetResourceCommand.class,
      ListResourcesCommand.class,
      UpdateResourceCommand.class,
      WorkspaceFilesCommand.class
    },
    footer = {"%nExample:", "  bridle workspace files ls default"})
public final class WorkspaceCommand extends ResourceGroup {
  /** Made by picocli. */
  public WorkspaceCommand() {
    super("/v1/workspaces", "name", "root");
  }
}
