package dev.bridle.cli.task;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about tasks. */
@Command(
    name = "task",
    description = "Submit, watch, show, list and cancel tasks.",
    subcommands = {
      SubmitCommand.class,
      WatchCommand.class,
      GetCommand.class,
      ListCommand.class,
      CancelCommand.class
    },
    footer = {"%nExample:", "  bridle task submit --text 'one two one' --watch"})
public final class TaskCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public TaskCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
