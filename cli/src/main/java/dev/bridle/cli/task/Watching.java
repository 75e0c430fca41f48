package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.StreamEvent;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicReference;

/** Follows a task to its end, or to a question where that is wanted. */
final class Watching {
  private final RestClient client;
  private final TaskOutput output;
  private final PrintWriter notices;

  Watching(RestClient client, TaskOutput output, PrintWriter notices) {
    this.client = client;
    this.output = output;
    this.notices = notices;
  }

  /** Returns the exit code that tells how it ended. */
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
          return !event.endsTask() && !(stopAtQuestion && waits(task, event));
        });
    return switch (last.get()) {
      case "task.completed" -> outcome(task, ExitCodes.DONE);
      case "task.input_required", "task.auth_required" -> {
        notices.println(
            "bridle: the task waits; answer it with POST /v1/tasks/" + task + "/messages.");
        yield ExitCodes.TASK_WAITS;
      }
      default -> outcome(task, ExitCodes.TASK_NOT_COMPLETED);
    };
  }

  /** The stream tells old questions too: only one that still stands counts. */
  private boolean waits(String task, StreamEvent event) {
    if (!event.kind().equals("task.input_required") && !event.kind().equals("task.auth_required")) {
      return false;
    }
    String status = client.get("/v1/tasks/" + RestClient.escape(task)).path("status").asText("");
    return status.equals("INPUT_REQUIRED") || status.equals("AUTH_REQUIRED");
  }

  private int outcome(String task, int exitCode) {
    JsonNode outcomes = client.get("/v1/outcomes?task_id=" + RestClient.escape(task));
    outcomes.path("data").forEach(output::outcome);
    return exitCode;
  }
}
