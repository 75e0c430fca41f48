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

/** Answers what a task waits with: a question, or a tool that it wants to be run. */
@Command(
    name = "answer",
    description =
        "Answer the question of a task, or tell it the result of a tool that it asked for.",
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
      description = "The call of a tool, as the event tool.requested names it.")
  private Optional<String> call = Optional.empty();

  @Option(names = "--result", paramLabel = "JSON", description = "What the tool gave, as any JSON.")
  private Optional<String> result = Optional.empty();

  @Option(names = "--failed", description = "The tool failed, and the result says why.")
  private boolean failed;

  @Option(names = "--json", description = "Print the message as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    boolean words = text.isPresent() && call.isEmpty() && result.isEmpty() && !failed;
    boolean tool = text.isEmpty() && call.isPresent() && result.isPresent();
    if (!words && !tool) {
      throw new ParameterException(
          spec.commandLine(), "Give either --text, or --call and --result.");
    }
    ObjectNode body = JsonLines.object().put("kind", "input");
    body.set(
        "message", words ? message("user", said(text.get())) : message("tool", given(call.get())));
    String path = "/v1/tasks/" + RestClient.escape(task) + "/messages";
    var answer = server.connect().post(path, body, UUID.randomUUID().toString());
    var out = spec.commandLine().getOut();
    out.println(json ? answer.toString() : answer.path("id").asText() + "  answered");
    out.flush();
  }

  private static ObjectNode message(String role, ObjectNode part) {
    ObjectNode message = JsonLines.object().put("role", role);
    message.putArray("parts").add(part.put("visibility", "public"));
    return message;
  }

  private static ObjectNode said(String words) {
    return JsonLines.object().put("type", "text").put("text", words);
  }

  private ObjectNode given(String id) {
    ObjectNode part =
        JsonLines.object()
            .put("type", "tool_result")
            .put("tool_call_id", id)
            .put("status", failed ? "error" : "ok");
    part.set("output", result.flatMap(JsonLines::parse).orElseThrow(this::noJson));
    return part;
  }

  private CommandFailed noJson() {
    return new CommandFailed(
        ExitCodes.USAGE,
        "--result is '" + result.orElse("") + "', expected JSON; text needs its quotes");
  }
}
