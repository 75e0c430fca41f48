package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.cli.runtime.AgentOptions;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** Prompts, one task each, with what is asked and said meanwhile. */
final class Conversation {
  private static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELED");
  private static final Set<String> WAITING = Set.of("AUTH_REQUIRED", "INPUT_REQUIRED");
  private static final Set<String> NOT_STARTED =
      Set.of("agent_start", "agent_login", "agent_setting");

  /** How many of a session's newest tasks may be left by an earlier run. */
  private static final int LEFT = 200;

  /** What stands before a prompt. */
  private static final String PROMPT = "you> ";

  private static final long LOOK_NANOS = 300_000_000;

  private final FolderServer server;
  private final RunOutput output;
  private final Optional<Terminal> terminal;
  private final Answering answering;
  private final TimeLimit limit;
  private final Interrupts interrupts;
  private final Denials denials = new Denials();
  private volatile Optional<TypedWords> words = Optional.empty();
  private volatile boolean asking;
  private volatile String current = "";
  private volatile boolean expired;

  /**
   * Creates a conversation.
   *
   * @param answering answers what the agent asks
   * @param limit how long the whole conversation may take
   */
  Conversation(
      FolderServer server,
      RunOutput output,
      Optional<Terminal> terminal,
      Answering answering,
      TimeLimit limit) {
    this.server = server;
    this.output = output;
    this.terminal = terminal;
    this.answering = answering;
    this.limit = limit;
    this.interrupts =
        new Interrupts(this::stop, output, () -> terminal.map(Terminal::empty).orElse(false));
  }

  /**
   * Goes on with the folder's session, then runs the prompt, or those that are typed.
   *
   * @return the exit code of the last task, or that all that was asked for was denied
   */
  int run(Optional<String> prompt, boolean fresh) throws IOException, InterruptedException {
    int code = converse(prompt, fresh);
    if (code != ExitCodes.DONE || !denials.isAll()) {
      return code;
    }
    output.note("all that the agent asked for was denied");
    return ExitCodes.ALL_DENIED;
  }

  private int converse(Optional<String> prompt, boolean fresh)
      throws IOException, InterruptedException {
    interrupts.install();
    limit.whenOver(this::timeIsUp);
    Optional<JsonNode> open = fresh ? Optional.empty() : server.openSession();
    String session = open.map(found -> found.path("id").asText()).orElseGet(server::newSession);
    open.ifPresentOrElse(this::sayGoesOn, () -> output.note("session " + session));
    List<String> left = open.isPresent() ? leftRunning(session) : List.of();
    if (prompt.isEmpty()) {
      words = Optional.of(TypedWords.start(server.client(), terminal.orElseThrow(), output));
    }
    int code = ExitCodes.DONE;
    for (String task : left) {
      if (interrupts.leaving()) {
        break;
      }
      output.note(
          task.equals(left.get(left.size() - 1))
              ? "the last task goes on"
              : "an earlier task goes on");
      code = task(task);
      if (code == ExitCodes.TASK_WAITS || limit.isOver()) {
        return code;
      }
    }
    if (prompt.isPresent()) {
      if (!prompt.get().isBlank()) {
        needTime();
        return task(submit(session, prompt.get()));
      }
      if (left.isEmpty()) {
        throw new CommandFailed(ExitCodes.USAGE, "The prompt is empty.");
      }
      return code;
    }
    return typed(session, code);
  }

  private void sayGoesOn(JsonNode session) {
    JsonNode newest = tasks(session.path("id").asText(), 1);
    output.note(ContinuedSession.line(session, newest, ZoneId.systemDefault()));
    output.note(ContinuedSession.log(session, server.arguments()));
  }

  /** Returns the newest tasks of a session. */
  private JsonNode tasks(String session, int limit) {
    return server.client().get("/v1/sessions/" + session + "/tasks?limit=" + limit).path("data");
  }

  /** Runs the prompts that are typed, also those that are typed while another one is done. */
  private int typed(String session, int before) throws IOException, InterruptedException {
    int code = before;
    while (goesOn() && code != ExitCodes.TASK_WAITS) {
      Optional<String> queued = nextQueued(session);
      if (queued.isPresent()) {
        code = task(queued.get());
        continue;
      }
      if (!terminal.orElseThrow().edits()) {
        output.prompt(PROMPT);
      }
      Optional<String> line = terminal.orElseThrow().prompt(this::goesOn);
      if (line.isEmpty()) {
        break;
      }
      String prompt = TypedLine.of(line.get()).text();
      if (!prompt.isBlank()) {
        code = task(submit(session, prompt));
      }
    }
    int left = words.map(TypedWords::queued).orElse(List.of()).size();
    if (left > 0) {
      output.note("prompts that stay queued for the next start: " + left);
    }
    return interrupts.leaving() ? ExitCodes.INTERRUPTED : code;
  }

  /** Returns the task to follow next: one that was queued here, which may have ended, or not. */
  private Optional<String> nextQueued(String session) {
    return words.flatMap(TypedWords::next).or(() -> leftRunning(session).stream().findFirst());
  }

  /** Returns the session's tasks that have not ended, oldest first, of its newest ones. */
  private List<String> leftRunning(String session) {
    List<String> left = new ArrayList<>();
    for (JsonNode task : tasks(session, LEFT)) {
      if (!ENDED.contains(task.path("status").asText())) {
        left.add(0, task.path("id").asText());
      }
    }
    return left;
  }

  private boolean goesOn() {
    return !interrupts.leaving() && !limit.isOver();
  }

  private void needTime() {
    if (limit.isOver()) {
      throw new CommandFailed(
          ExitCodes.TASK_NOT_COMPLETED, "The time was up before the prompt was given.");
    }
  }

  private String submit(String session, String prompt) {
    ObjectNode body = JsonLines.object();
    // A message, so that the session's transcript has it for an agent that loses its session.
    body.putObject("input")
        .put("role", "user")
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("text", prompt)
        .put("visibility", "public");
    return server
        .client()
        .post("/v1/sessions/" + session + "/tasks", body, UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  /** Follows a task to its end, and returns the exit code for it. */
  private int task(String id) throws IOException, InterruptedException {
    current = id;
    interrupts.running(id);
    if (limit.isOver()) {
      endUnlessWaiting();
    }
    words
        .flatMap(typing -> typing.take(id))
        .ifPresent(prompt -> output.note("now the queued prompt: " + ShownText.line(prompt)));
    words.ifPresent(typing -> typing.listen(id));
    AtomicReference<StreamEvent> last = new AtomicReference<>();
    AtomicBoolean inputEnded = new AtomicBoolean();
    ResumingStream stream =
        new ResumingStream(
            server.client(), "/v1/tasks/" + RestClient.escape(id) + "/stream", output::note);
    stream.readWhile(
        event -> {
          last.set(event);
          denials.take(event);
          output.event(event);
          boolean isAnswered =
              switch (event.kind()) {
                case "task.auth_required" -> apart(id, () -> answered(id));
                case "task.input_required" ->
                    apart(id, () -> filled(id, event.body().path("payload")));
                default -> true;
              };
          if (!isAnswered) {
            inputEnded.set(true);
          }
          if (limit.isOver() && !inputEnded.get()) {
            endUnlessWaiting(); // A question was open when the time was up, and is decided.
          }
          return !event.endsTask() && !inputEnded.get() && !interrupts.leaving();
        });
    if (words.isPresent()) {
      words.get().pause();
    }
    interrupts.running("");
    if (interrupts.stopped()) {
      return ExitCodes.INTERRUPTED;
    }
    if (inputEnded.get()) {
      output.note("the task waits for the answer; the next 'bridle run' in this folder goes on");
      return ExitCodes.TASK_WAITS;
    }
    StreamEvent end = last.get();
    if (end.kind().equals("task.completed")) {
      JsonNode receipt =
          server.client().get("/v1/tasks/" + RestClient.escape(id)).path("receipt_id");
      output.note("done" + (receipt.isTextual() ? ", with " + receipt.textValue() : ""));
      output.note("what was done: " + server.logCommand());
      return ExitCodes.DONE;
    }
    output.note("what was done: " + server.logCommand());
    String code = end.body().at("/payload/failure/code").asText();
    if (code.equals("agent_login")) {
      output.note(AgentOptions.LOGIN_HINT);
    }
    return NOT_STARTED.contains(code) ? ExitCodes.AGENT_NOT_STARTED : ExitCodes.TASK_NOT_COMPLETED;
  }

  /** Has a question answered, while what is typed is no message. */
  private boolean apart(String task, BooleanSupplier question) {
    if (words.isEmpty()) {
      return question.getAsBoolean();
    }
    try {
      words.get().pause();
      boolean answered = question.getAsBoolean();
      words.get().listen(task);
      return answered;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
    String id = request.path("id").asText();
    asking = true;
    try {
      boolean answered =
          !limit.isOver() && answering.ask(request, isStill(() -> isPending(read(id))));
      JsonNode now = read(id);
      Decided.byOthers(now, server.person()).ifPresent(output::note);
      return limit.isOver() ? !isPending(now) : answered;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      asking = false;
    }
  }

  private JsonNode read(String request) {
    return server.client().get("/v1/permission-requests/" + RestClient.escape(request));
  }

  private static boolean isPending(JsonNode request) {
    return request.path("status").asText().equals("pending");
  }

  private void timeIsUp() {
    output.note("the time is up");
    endUnlessWaiting();
  }

  /** A task that waits for an answer can wait on; one that works is not left half done. */
  private void endUnlessWaiting() {
    if (!expired && !asking && !current.isEmpty() && !WAITING.contains(status(current))) {
      expired = true;
      interrupts.expire();
    }
  }

  /** Has the open form of a task filled in; returns false where nobody is there. */
  private boolean filled(String task, JsonNode asked) {
    BooleanSupplier open = isStill(() -> waitsForInput(task));
    asking = true;
    try {
      boolean filled = !limit.isOver() && answering.fill(task, asked, open);
      return limit.isOver() ? !waitsForInput(task) : filled;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      asking = false;
    }
  }

  private boolean waitsForInput(String task) {
    return status(task).equals("INPUT_REQUIRED");
  }

  private String status(String task) {
    return server.client().get("/v1/tasks/" + RestClient.escape(task)).path("status").asText();
  }

  /** Returns whether something is still so, which is looked up now and then. */
  private BooleanSupplier isStill(BooleanSupplier look) {
    AtomicReference<Boolean> open = new AtomicReference<>(true);
    AtomicReference<Long> looked = new AtomicReference<>(System.nanoTime());
    return () -> {
      if (System.nanoTime() - looked.get() > LOOK_NANOS) {
        looked.set(System.nanoTime());
        open.set(look.getAsBoolean());
      }
      return open.get() && goesOn();
    };
  }

  /** Cancels a task, and before it the prompts that were typed to follow it. */
  private void stop(String task, String reason) {
    for (String queued : words.map(TypedWords::queued).orElse(List.of())) {
      cancel(queued, reason);
      words
          .flatMap(typing -> typing.take(queued))
          .ifPresent(prompt -> output.note("dropped: " + ShownText.line(prompt)));
    }
    cancel(task, reason);
  }

  private void cancel(String task, String reason) {
    try {
      var unused =
          server
              .client()
              .post(
                  "/v1/tasks/" + RestClient.escape(task) + "/cancel",
                  JsonLines.object().put("reason", reason),
                  UUID.randomUUID().toString());
    } catch (CommandFailed e) {
      output.note("not canceled: " + e.getMessage());
    }
  }
}
