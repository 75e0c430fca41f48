package dev.bridle.cli.permission;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about permission requests. */
@Command(
    name = "permission",
    description = "Show and answer what agents ask before they act.",
    subcommands = {
      ListRequestsCommand.class,
      ShowRequestCommand.class,
      ApproveCommand.class,
      DenyCommand.class,
      DelegateCommand.class
    },
    footer = {"%nExample:", "  bridle permission list --pending"})
public final class PermissionCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public PermissionCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
