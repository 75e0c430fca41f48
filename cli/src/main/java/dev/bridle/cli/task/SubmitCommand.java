package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Submits a task and, with --watch, follows it. */
@Command(
    name = "submit",
    description = "Submit a task. It is stored durably when this command prints its id.",
    footer = {
      "%nExamples:",
      "  bridle task submit --text 'one two one' --watch",
      "  bridle task submit --file notes.txt --json",
      "  bridle task submit --json-input '{\"ask\":\"Which text?\"}'"
    })
final class SubmitCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;
  @Mixin private GivenTask given;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "The session to submit it to (default: a new one).")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "The workspace of the new session (default: the first one listed).")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description =
          "The idempotency key: retries with the same key submit one task; needs --session"
              + " (default: a"
              + " random one).")
  private String idempotencyKey = UUID.randomUUID().toString();

  @Option(names = "--watch", description = "Follow the task until it ends or waits for input.")
  private boolean watch;

  @Option(names = "--json", description = "Print the task and each event as a line of JSON.")
  private boolean json;

  @Override
  public Integer call() {
    given.check(spec.commandLine());
    RestClient client = server.connect();
    Sessions sessions = new Sessions(client);
    String target = session.orElseGet(() -> sessions.create(workspace));
    JsonNode task =
        client.post(
            "/v1/sessions/" + RestClient.escape(target) + "/tasks",
            given.body(sessions, target),
            idempotencyKey);
    TaskOutput output = new TaskOutput(spec.commandLine().getOut(), json);
    output.task(task);
    return watch
        ? new Watching(client, output, spec.commandLine().getErr(), server.words())
            .follow(task.path("id").asText(), true)
        : ExitCodes.DONE;
  }
}
