package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.permission.ApproveOptions;
import dev.bridle.cli.permission.ShownAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Shows a question, and how it is answered from another terminal; then may wait until it is. */
final class AnswerElsewhere implements Answering {
  private static final long LOOK_MILLIS = 100;

  private final RunOutput output;
  private final ServerArguments server;
  private final boolean waits;

  /**
   * Creates the answering.
   *
   * @param server the server that a command answers at
   * @param waits whether to wait for an answer; else nobody is there
   */
  AnswerElsewhere(RunOutput output, ServerArguments server, boolean waits) {
    this.output = output;
    this.server = server;
    this.waits = waits;
  }

  @Override
  public boolean ask(JsonNode request, BooleanSupplier open) throws InterruptedException {
    output.question(ShownAction.lines(request));
    output.note("answer it at another terminal:");
    commands(request).forEach(output::note);
    return awaited(open);
  }

  @Override
  public boolean fill(String task, JsonNode asked, BooleanSupplier open)
      throws InterruptedException {
    output.question(FormFiller.lines(asked));
    output.note("a client of the server can fill it in; decline it at another terminal:");
    output.note("  " + server.to("task answer " + task + " --text declined"));
    return awaited(open);
  }

  private boolean awaited(BooleanSupplier open) throws InterruptedException {
    if (!server.hasKey()) {
      output.note("FILE is one with a key of the server, which it was started without");
    }
    if (server.isOfThisMachine()) {
      output.note(
          "the server listens on " + server.url().getHost() + ": only this machine can answer");
    }
    while (waits && open.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return waits;
  }

  /** Returns the commands that answer a request. */
  private List<String> commands(JsonNode request) {
    String id = request.path("id").asText();
    List<String> commands = new ArrayList<>();
    for (String options : ApproveOptions.of(request)) {
      commands.add("  " + server.to("permission approve " + id + options));
    }
    commands.add("  " + server.to("permission deny " + id + " --reason 'WHY'"));
    return commands;
  }
}
