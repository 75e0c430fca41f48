package dev.bridle.cli.permission;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about standing grants. */
@Command(
    name = "grant",
    description = "Show and end standing grants, which allow actions without a question.",
    subcommands = {ListGrantsCommand.class, RevokeGrantCommand.class},
    footer = {"%nExample:", "  bridle grant list"})
public final class GrantCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public GrantCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
