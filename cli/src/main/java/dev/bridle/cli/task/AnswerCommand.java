package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Answers the question of a task, or sends the result of a tool call that it requested. */
@Command(
    name = "answer",
    description =
        "Answer the question of a task, or send the result of a tool call that it requested.",
    footer = {
      "%nExample:",
      "  bridle task answer task_01J9 --text 'red fish blue fish'",
      "  bridle task answer task_01J9 --call call_01J9 --result '\"opened\"'"
    })
final class AnswerCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "TASK", description = "The task's id.")
  private String task = "";

  @Option(names = "--text", paramLabel = "TEXT", description = "The answer to its question.")
  private Optional<String> text = Optional.empty();

  @Option(
      names = "--call",
      paramLabel = "ID",
      description = "The id of the tool call, as in the event tool.requested.")
  private Optional<String> call = Optional.empty();

  @Option(
      names = "--result",
      paramLabel = "JSON",
      description = "The result of the tool, as any JSON value.")
  private Optional<String> result = Optional.empty();

  @Option(names = "--failed", description = "Report that the tool failed; the result is the error.")
  private boolean failed;

  @Option(names = "--json", description = "Print the message as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    boolean words = text.isPresent() && call.isEmpty() && result.isEmpty() && !failed;
    boolean tool = text.isEmpty() && call.isPresent() && result.isPresent();
    if (!words && !tool) {
      throw new ParameterException(
          spec.commandLine(), "Expected either --text, or --call and --result.");
    }
    ObjectNode body = JsonLines.object().put("kind", "input");
    body.set(
        "message",
        words
            ? MessageBody.ofUser(text.get())
            : MessageBody.of("tool", toolResultPart(call.get())));
    String path = "/v1/tasks/" + RestClient.escape(task) + "/messages";
    var answer = server.connect().post(path, body, UUID.randomUUID().toString());
    var out = spec.commandLine().getOut();
    out.println(json ? answer.toString() : answer.path("id").asText() + "  answered");
    out.flush();
  }

  private ObjectNode toolResultPart(String id) {
    ObjectNode part =
        JsonLines.object()
            .put("type", "tool_result")
            .put("tool_call_id", id)
            .put("status", failed ? "error" : "ok");
    part.set("output", result.flatMap(JsonLines::parse).orElseThrow(this::invalidResult));
    return part;
  }

  private CommandFailed invalidResult() {
    return new CommandFailed(
        ExitCodes.USAGE,
        "--result is '" + result.orElse("") + "', expected JSON. A JSON string needs its quotes.");
  }
}
