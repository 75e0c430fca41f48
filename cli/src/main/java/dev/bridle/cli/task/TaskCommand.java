package dev.bridle.cli.task;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about tasks. */
@Command(
    name = "task",
    description = "Submit, watch, answer, show, list and cancel tasks, and talk to them.",
    subcommands = {
      SubmitCommand.class,
      WatchCommand.class,
      AnswerCommand.class,
      MessageCommand.class,
      GetCommand.class,
      ListCommand.class,
      CancelCommand.class
    },
    footer = {"%nExample:", "  bridle task submit --text 'one two one' --watch"})
public final class TaskCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public TaskCommand() {}
}
