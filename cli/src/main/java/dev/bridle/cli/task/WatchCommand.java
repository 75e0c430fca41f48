package dev.bridle.cli.task;

import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Follows a task from its first event to its end. Reconnects after lost connections. */
@Command(
    name = "watch",
    description = "Follow a task from its first event to its end, then print its outcome.",
    footer = {"%nExample:", "  bridle task watch task_01J9 --json"})
final class WatchCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "TASK", description = "The task's id.")
  private String task = "";

  @Option(
      names = "--stop-at-question",
      description = "Exit with code 5 when the task waits for input.")
  private boolean stopAtQuestion;

  @Option(names = "--json", description = "Print each event, then the outcome, as a line of JSON.")
  private boolean json;

  @Override
  public Integer call() {
    RestClient client = server.connect();
    TaskOutput output = new TaskOutput(spec.commandLine().getOut(), json);
    return new Watching(client, output, spec.commandLine().getErr(), server.words())
        .follow(task, stopAtQuestion);
  }
}
