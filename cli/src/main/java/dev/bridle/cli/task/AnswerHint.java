package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ShellWord;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.permission.ApproveOptions;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.StreamEvent;
import java.io.PrintWriter;

/** Prints the commands that answer a waiting task. */
final class AnswerHint {
  private final RestClient client;
  private final PrintWriter out;
  private final String server;

  /**
   * Creates hints for commands to a server.
   *
   * @param server the options that select the server, each with a leading space
   */
  AnswerHint(RestClient client, PrintWriter out, String server) {
    this.client = client;
    this.out = out;
    this.server = server;
  }

  /** Prints the commands that answer a waiting task. */
  void print(String task, StreamEvent waiting) {
    if (waiting.kind().equals("task.auth_required")) {
      out.println("bridle: the task waits for an approval; approve or deny it with");
      approval(task);
    } else {
      String call = waiting.body().at("/payload/tool_call_id").asText("");
      out.println(
          call.isEmpty()
              ? "bridle: the task waits for an answer; answer it with"
              : "bridle: the task waits for the result of a tool; send it with");
      command(
          "task answer " + task,
          call.isEmpty()
              ? " --text 'ANSWER'"
              : " --call " + ShellWord.quoted(ShownText.line(call)) + " --result 'JSON'");
    }
    out.flush();
  }

  private void approval(String task) {
    boolean any = false;
    for (JsonNode request : pending(task)) {
      String id = request.path("id").asText();
      ApproveOptions.of(request).forEach(options -> command("permission approve " + id, options));
      command("permission deny " + id, "");
      any = true;
    }
    if (!any) {
      command("permission list", " --pending --task " + task);
    }
  }

  /** Returns the task's open requests, or none if the API key may not read them. */
  private JsonNode pending(String task) {
    String path = "/v1/permission-requests?status=pending&limit=10&task_id=";
    try {
      return client.get(path + RestClient.escape(task)).path("data");
    } catch (CommandFailed e) {
      return MissingNode.getInstance();
    }
  }

  private void command(String command, String options) {
    out.println("  bridle " + command + options + server);
  }
}
