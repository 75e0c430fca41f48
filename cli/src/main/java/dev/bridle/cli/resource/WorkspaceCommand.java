package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The group of commands about workspaces. */
@Command(
    name = "workspace",
    description = "Manage workspaces and their files.",
    subcommands = {
      GetResourceCommand.class,
      ListResourcesCommand.class,
      UpdateResourceCommand.class,
      WorkspaceFilesCommand.class
    },
    footer = {"%nExample:", "  bridle workspace files ls default"})
public final class WorkspaceCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public WorkspaceCommand() {
    super("/v1/workspaces", "name", "root");
  }

  @Command(
      name = "create",
      description = "Create a workspace.",
      footer = {"%nExample:", "  bridle workspace create --name Shop --root folder:shop"})
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--name",
              paramLabel = "TEXT",
              required = true,
              description = "The workspace's name.")
          String name,
      @Option(
              names = "--root",
              paramLabel = "ROOT",
              required = true,
              description = {
                "Where its files are stored, for its agents; folder:NAME is a folder of the",
                "server's machine, inside the server's --workspace-root."
              })
          String root,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    create(server, shown, Shown.object(members, "--set").put("name", name).put("root", root));
  }
}
