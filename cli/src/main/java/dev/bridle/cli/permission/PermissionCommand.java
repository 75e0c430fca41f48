package dev.bridle.cli.permission;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about permission requests. */
@Command(
    name = "permission",
    description = "List and answer permission requests of agents.",
    subcommands = {
      ListRequestsCommand.class,
      ShowRequestCommand.class,
      ApproveCommand.class,
      DenyCommand.class,
      DelegateCommand.class
    },
    footer = {"%nExample:", "  bridle permission list --pending"})
public final class PermissionCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public PermissionCommand() {}
}
