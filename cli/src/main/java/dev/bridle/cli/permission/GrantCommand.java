package dev.bridle.cli.permission;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about standing grants. */
@Command(
    name = "grant",
    description =
        "List and revoke standing grants, which allow actions without a permission request.",
    subcommands = {ListGrantsCommand.class, RevokeGrantCommand.class},
    footer = {"%nExample:", "  bridle grant list"})
public final class GrantCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public GrantCommand() {}
}
