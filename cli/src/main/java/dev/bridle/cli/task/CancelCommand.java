package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Requests the cancellation of a task. */
@Command(
    name = "cancel",
    description = {
      "Cancel a task.",
      "The task becomes CANCELED when its worker has stopped; it may complete or fail before that."
    },
    footer = {"%nExample:", "  bridle task cancel task_01J9 --reason 'no longer needed'"})
final class CancelCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "TASK", description = "The task's id.")
  private String task = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit log.")
  private Optional<String> reason = Optional.empty();

  @Option(names = "--json", description = "Print the task as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    RestClient client = server.connect();
    ObjectNode body = JsonLines.object();
    reason.ifPresent(why -> body.put("reason", why));
    new TaskOutput(spec.commandLine().getOut(), json)
        .task(
            client.post(
                "/v1/tasks/" + RestClient.escape(task) + "/cancel",
                body,
                UUID.randomUUID().toString()));
  }
}
