package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.StreamEvent;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicReference;

/** Follows a task until it ends or, optionally, until it waits for input. */
final class Watching {
  private final RestClient client;
  private final TaskOutput output;
  private final PrintWriter notices;
  private final AnswerHint hint;

  /**
   * Creates a follower of tasks of a server.
   *
   * @param server the options that select the server in a command
   */
  Watching(RestClient client, TaskOutput output, PrintWriter notices, String server) {
    this.client = client;
    this.output = output;
    this.notices = notices;
    this.hint = new AnswerHint(client, notices, server);
  }

  /** Follows a task and returns the exit code for its final state. */
  int follow(String task, boolean stopAtQuestion) {
    AtomicReference<String> last = new AtomicReference<>("");
    ResumingStream stream =
        new ResumingStream(
            client,
            "/v1/tasks/" + RestClient.escape(task) + "/stream",
            notice -> notices.println("bridle: " + notice));
    stream.readWhile(
        event -> {
          output.event(event);
          last.set(event.kind());
          boolean waits = waits(task, event);
          if (waits) {
            hint.print(task, event);
          }
          return !event.endsTask() && !(stopAtQuestion && waits);
        });
    return switch (last.get()) {
      case "task.completed" -> outcome(task, ExitCodes.DONE);
      case "task.input_required", "task.auth_required" -> ExitCodes.TASK_WAITS;
      default -> outcome(task, ExitCodes.TASK_NOT_COMPLETED);
    };
  }

  /** The stream replays old questions: only one that is still open counts. */
  private boolean waits(String task, StreamEvent event) {
    return switch (event.kind()) {
      case "task.input_required" -> status(task).equals("INPUT_REQUIRED");
      case "task.auth_required" -> status(task).equals("AUTH_REQUIRED");
      default -> false;
    };
  }

  private String status(String task) {
    return client.get("/v1/tasks/" + RestClient.escape(task)).path("status").asText("");
  }

  private int outcome(String task, int exitCode) {
    JsonNode outcomes = client.get("/v1/outcomes?task_id=" + RestClient.escape(task));
    outcomes.path("data").forEach(output::outcome);
    return exitCode;
  }
}
