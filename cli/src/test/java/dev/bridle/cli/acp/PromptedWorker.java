package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.worker.Decision;
import dev.bridle.worker.GivenInput;
import dev.bridle.worker.Parts;
import dev.bridle.worker.Permission;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A worker whose prompts say what it does: {@code say TEXT}, {@code show} reports all that a hosted
 * agent reports, {@code act COMMAND} runs a command if it may, {@code edit FILE} asks with a
 * difference, {@code large N} asks at length, {@code wait} goes on until it is cancelled, {@code
 * ask QUESTION} asks the user, {@code fail CODE} fails, {@code persona} says whose task it is.
 */
final class PromptedWorker implements TaskHandler {
  private final Queue<String> done = new ConcurrentLinkedQueue<>();

  /** Returns what was allowed and done, in order. */
  Queue<String> done() {
    return done;
  }

  @Override
  public TaskResult handle(TaskContext task) throws Exception {
    String[] words = task.input().text().orElseThrow().split(" ", 2);
    String rest = words.length > 1 ? words[1] : "";
    switch (words[0]) {
      case "show" -> show(task);
      case "act" ->
          act(
              task,
              rest,
              Permission.of(
                      "command",
                      JsonLines.object().put("command", rest).put("cwd", "/work"),
                      "May I?")
                  .withTool("shell")
                  .withTitle("harmless title"));
      case "edit" ->
          act(
              task,
              rest,
              Permission.of(
                      "edit",
                      JsonLines.object()
                          .put("path", rest)
                          .put("old_string", "one")
                          .put("new_string", "two"),
                      "May I?")
                  .withTitle("Edit a file"));
      case "large" ->
          act(
              task,
              rest,
              Permission.of(
                  "command",
                  JsonLines.object().put("command", "x".repeat(Integer.parseInt(rest))),
                  "May I?"));
      case "wait" -> {
        text(task, "waiting");
        task.flush();
        while (true) {
          task.pause(Duration.ofMillis(20));
        }
      }
      case "ask" ->
          task.message(
              "heard", "heard " + GivenInput.textOf(task.requestInput("ask", rest)).orElseThrow());
      case "fail" -> throw new TaskFailure(rest, "it failed");
      case "persona" -> task.message("persona", "persona " + task.task().getPersonaId());
      default -> task.message("said", rest);
    }
    return TaskResult.of("done");
  }

  private static void text(TaskContext task, String text) {
    task.event(
        "text:" + text,
        "vendor.agent_host.text",
        JsonLines.object().put("message_id", "m1").put("offset", 0).put("text", text));
  }

  private static void show(TaskContext task) {
    ObjectNode plan = JsonLines.object();
    plan.putArray("plan")
        .addObject()
        .put("content", "look")
        .put("priority", "high")
        .put("status", "in_progress");
    task.event("plan", "vendor.agent_host.plan", plan);
    ObjectNode call =
        JsonLines.object()
            .put("tool_call_id", "call_1")
            .put("tool_name", "read")
            .put("title", "Read a.txt")
            .put("status", "pending");
    task.event("call", "agent.tool_use", call);
    task.event("called", "agent.tool_result", call.deepCopy().put("status", "completed"));
    text(task, "shown");
    task.message("end", List.of(Parts.text("the end")));
  }

  private void act(TaskContext task, String what, Permission permission) throws Exception {
    String did =
        task.step(
            "acted",
            String.class,
            () -> {
              Decision decision = task.requestPermission("act", permission);
              if (!decision.allowed()) {
                return "not allowed";
              }
              done.add(what);
              return "did it";
            });
    task.message("did", did);
  }
}
