package dev.bridle.cli.task;

import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a task and, if it has ended, its outcome. */
@Command(
    name = "get",
    description = "Show a task and, if it has ended, its outcome.",
    footer = {"%nExample:", "  bridle task get task_01J9"})
final class GetCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "TASK", description = "The task's id.")
  private String task = "";

  @Option(
      names = "--json",
      description = "Print the task as one line of JSON, without its outcome.")
  private boolean json;

  @Override
  public void run() {
    RestClient client = server.connect();
    TaskOutput output = new TaskOutput(spec.commandLine().getOut(), json);
    output.task(client.get("/v1/tasks/" + RestClient.escape(task)));
    if (!json) {
      client
          .get("/v1/outcomes?task_id=" + RestClient.escape(task))
          .path("data")
          .forEach(output::outcome);
    }
  }
}
