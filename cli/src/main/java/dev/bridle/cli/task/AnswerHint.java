package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.StreamEvent;
import java.io.PrintWriter;

/** Says with which command a task that waits is answered. */
final class AnswerHint {
  private final RestClient client;
  private final PrintWriter out;
  private final String server;

  /**
   * Hints for commands to that server.
   *
   * @param server the options that name it, each with a space before it
   */
  AnswerHint(RestClient client, PrintWriter out, String server) {
    this.client = client;
    this.out = out;
    this.server = server;
  }

  /** Prints the commands that answer what a task waits with. */
  void print(String task, StreamEvent waiting) {
    if (waiting.kind().equals("task.auth_required")) {
      out.println("bridle: the task waits for an approval; give or deny it with");
      approval(task);
    } else {
      String call = waiting.body().at("/payload/tool_call_id").asText("");
      out.println(
          call.isEmpty()
              ? "bridle: the task waits for an answer; give it with"
              : "bridle: the task waits for the result of a tool; give it with");
      command(
          "task answer " + task,
          call.isEmpty() ? " --text 'ANSWER'" : " --call " + call + " --result 'JSON'");
    }
    out.flush();
  }

  private void approval(String task) {
    boolean any = false;
    for (JsonNode request : pending(task)) {
      String id = request.path("id").asText();
      command("permission approve " + id, "");
      command("permission deny " + id, "");
      any = true;
    }
    if (!any) {
      command("permission list", " --pending --task " + task);
    }
  }

  /** Returns the task's open requests; none where the key may not read them. */
  private JsonNode pending(String task) {
    String path = "/v1/permission-requests?status=pending&limit=10&task_id=";
    try {
      return client.get(path + RestClient.escape(task)).path("data");
    } catch (CommandFailed e) {
      return MissingNode.getInstance();
    }
  }

  private void command(String words, String options) {
    out.println("  bridle " + words + options + server);
  }
}
