package dev.bridle.cli.permission;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about standing grants. */
@Command(
    name = "grant",
    description = "Show and end standing grants, which allow actions without a question.",
    subcommands = {ListGrantsCommand.class, RevokeGrantCommand.class},
    footer = {"%nExample:", "  bridle grant list"})
public final class GrantCommand extends CommandGroup {

  /** Made by picocli. */
  public GrantCommand() {}
}
