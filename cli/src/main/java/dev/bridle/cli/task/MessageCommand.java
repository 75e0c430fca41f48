package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Locale;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says something to a task that works. */
@Command(
    name = "message",
    description = {
      "Say something to a task that works.",
      "Its worker must take messages, unless they wait for the end of the task."
    },
    footer = {
      "%nExample:",
      "  bridle task message task_01J9 'and then run the tests'",
      "  bridle task message task_01J9 --mode interrupt 'use the other branch'"
    })
final class MessageCommand implements Runnable {
  /** When the worker takes a message. */
  enum Mode {
    /** After the task, as a task of its own. */
    wait("wait_for_completion"),
    /** After the step that it is at. */
    step("finish_step"),
    /** At once. */
    interrupt("interrupt_immediate");

    private final String spelled;

    Mode(String spelled) {
      this.spelled = spelled;
    }
  }

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(index = "0", paramLabel = "TASK", description = "The task's id.")
  private String task = "";

  @Parameters(index = "1", paramLabel = "TEXT", description = "The message.")
  private String text = "";

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = {
        "When the worker takes it: 'wait' (after the task, as a task of its own; the default),"
            + " 'step' (after the step that it is at) or 'interrupt' (at once)."
      })
  private Mode mode = Mode.wait;

  @Option(names = "--json", description = "Print the message as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    ObjectNode body = JsonLines.object().put("kind", "input").put("mode", mode.spelled);
    body.set("message", MessageBody.ofUser(text));
    String path = "/v1/tasks/" + RestClient.escape(task) + "/messages";
    var said = server.connect().post(path, body, UUID.randomUUID().toString());
    var out = spec.commandLine().getOut();
    out.println(
        json
            ? said.toString()
            : String.format(
                Locale.ROOT,
                "%s  %s",
                said.path("id").asText(),
                mode == Mode.wait ? "queued as " + said.path("task_id").asText() : "sent"));
    out.flush();
  }
}
