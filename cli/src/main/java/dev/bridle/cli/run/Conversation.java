package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.StreamEvent;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** Prompts, one task each, with what is asked and said meanwhile. */
final class Conversation {
  private static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELED");
  private static final Set<String> NOT_STARTED = Set.of("agent_start", "agent_login");
  private static final long LOOK_NANOS = 300_000_000;

  private final FolderServer server;
  private final RunOutput output;
  private final Optional<Terminal> terminal;
  private final Optional<Approver> approver;
  private final Interrupts interrupts;

  /**
   * Creates a conversation.
   *
   * @param approver asks; empty: everything is denied
   */
  Conversation(
      FolderServer server,
      RunOutput output,
      Optional<Terminal> terminal,
      Optional<Approver> approver) {
    this.server = server;
    this.output = output;
    this.terminal = terminal;
    this.approver = approver;
    this.interrupts = new Interrupts(this::cancel, output);
  }

  /**
   * Goes on with the folder's session, then runs the prompt, or those that are typed.
   *
   * @return the exit code of the last task
   */
  int run(Optional<String> prompt, boolean fresh) throws IOException, InterruptedException {
    interrupts.install();
    Optional<String> open = fresh ? Optional.empty() : server.openSession();
    String session = open.orElseGet(() -> server.newSession("bridle run"));
    output.note("session " + session + (open.isPresent() ? ", goes on" : ""));
    int code = open.isPresent() ? goOn(session) : ExitCodes.DONE;
    if (prompt.isPresent()) {
      if (prompt.get().isBlank()) {
        throw new CommandFailed(ExitCodes.USAGE, "The prompt is empty.");
      }
      return task(submit(session, prompt.get()));
    }
    while (!interrupts.leaving()) {
      output.prompt("you> ");
      Optional<String> typed = terminal.orElseThrow().line(() -> !interrupts.leaving());
      if (typed.isEmpty()) {
        break;
      }
      if (!typed.get().isBlank()) {
        code = task(submit(session, typed.get()));
      }
    }
    return interrupts.leaving() ? ExitCodes.INTERRUPTED : code;
  }

  /** Follows a task that was left running. */
  private int goOn(String session) throws IOException, InterruptedException {
    JsonNode tasks = server.client().get("/v1/sessions/" + session + "/tasks?limit=1").path("data");
    if (tasks.isEmpty() || ENDED.contains(tasks.get(0).path("status").asText())) {
      return ExitCodes.DONE;
    }
    output.note("the last task goes on");
    return task(tasks.get(0).path("id").asText());
  }

  private String submit(String session, String prompt) {
    ObjectNode body = JsonLines.object();
    body.putObject("input").put("text", prompt);
    return server
        .client()
        .post("/v1/sessions/" + session + "/tasks", body, UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  /** Follows a task to its end, and returns the exit code for it. */
  private int task(String id) throws IOException, InterruptedException {
    interrupts.running(id);
    AtomicReference<StreamEvent> last = new AtomicReference<>();
    AtomicBoolean inputEnded = new AtomicBoolean();
    ResumingStream stream =
        new ResumingStream(
            server.client(), "/v1/tasks/" + RestClient.escape(id) + "/stream", output::note);
    stream.readWhile(
        event -> {
          last.set(event);
          output.event(event);
          boolean isAnswered =
              switch (event.kind()) {
                case "task.auth_required" -> answered(id);
                case "task.input_required" -> filled(id, event.body().path("payload"));
                default -> true;
              };
          if (!isAnswered) {
            inputEnded.set(true);
          }
          return !event.endsTask() && !inputEnded.get() && !interrupts.leaving();
        });
    interrupts.running("");
    if (interrupts.stopped()) {
      return ExitCodes.INTERRUPTED;
    }
    if (inputEnded.get()) {
      output.note("nobody answers at this terminal any more; the task waits");
      return ExitCodes.TASK_WAITS;
    }
    StreamEvent end = last.get();
    if (end.kind().equals("task.completed")) {
      JsonNode receipt =
          server.client().get("/v1/tasks/" + RestClient.escape(id)).path("receipt_id");
      output.note("done" + (receipt.isTextual() ? ", with " + receipt.textValue() : ""));
      return ExitCodes.DONE;
    }
    return NOT_STARTED.contains(end.body().at("/payload/failure/code").asText())
        ? ExitCodes.AGENT_NOT_STARTED
        : ExitCodes.TASK_NOT_COMPLETED;
  }

  /** Has the open request of a task answered; returns false where nobody is there. */
  private boolean answered(String task) {
    JsonNode pending =
        server
            .client()
            .get(
                "/v1/permission-requests?status=pending&limit=1&task_id=" + RestClient.escape(task))
            .path("data");
    if (pending.isEmpty()) {
      return true; // An old event, of a request that is decided.
    }
    JsonNode request = pending.get(0);
    if (approver.isEmpty()) {
      new Approver(server.client(), nobody(), output, false).deny(request);
      return true;
    }
    try {
      String path = "/v1/permission-requests/" + RestClient.escape(request.path("id").asText());
      return approver.get().ask(request, isStill(path, "pending"));
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Has the open form of a task filled in; returns false where nobody is there. */
  private boolean filled(String task, JsonNode asked) {
    BooleanSupplier open = isStill("/v1/tasks/" + RestClient.escape(task), "INPUT_REQUIRED");
    if (approver.isEmpty()) {
      new FormFiller(server.client(), nobody(), output).decline(task, asked);
      return true;
    }
    try {
      return new FormFiller(server.client(), terminal.orElseGet(Conversation::nobody), output)
          .ask(task, asked, open);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Terminal nobody() {
    return Terminal.of(InputStream.nullInputStream());
  }

  /** Returns whether a resource still has a status, which is looked up now and then. */
  private BooleanSupplier isStill(String path, String status) {
    AtomicReference<Boolean> open = new AtomicReference<>(true);
    AtomicReference<Long> looked = new AtomicReference<>(System.nanoTime());
    return () -> {
      if (System.nanoTime() - looked.get() > LOOK_NANOS) {
        looked.set(System.nanoTime());
        open.set(server.client().get(path).path("status").asText().equals(status));
      }
      return open.get() && !interrupts.leaving();
    };
  }

  private void cancel(String task) {
    try {
      var unused =
          server
              .client()
              .post(
                  "/v1/tasks/" + RestClient.escape(task) + "/cancel",
                  JsonLines.object().put("reason", "interrupted at the terminal"),
                  UUID.randomUUID().toString());
    } catch (CommandFailed e) {
      output.note("not canceled: " + e.getMessage());
    }
  }
}
