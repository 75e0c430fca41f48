package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.permission.PermissionAnswer;
import dev.bridle.cli.rest.RefusedCall;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The permission requests of a turn that the editor's user is asked. An answer goes to the server,
 * which decides whether it counts; a request that is decided elsewhere is taken back. Thread-safe.
 */
final class OpenQuestions {
  private final EditorSession session;
  private final BridleServer server;
  private final EditorLink link;
  private final AnswerCommands commands;
  private final Executor executor;
  private final Map<String, CompletableFuture<RawJson>> open = new HashMap<>();

  OpenQuestions(
      EditorSession session,
      BridleServer server,
      EditorLink link,
      AnswerCommands commands,
      Executor executor) {
    this.session = session;
    this.server = server;
    this.link = link;
    this.commands = commands;
    this.executor = executor;
  }

  /** Asks, unless it is asked already. */
  synchronized void ask(AskedPermission asked, TaskUpdates updates) {
    if (open.containsKey(asked.id())) {
      return;
    }
    CompletableFuture<RawJson> answer =
        link.ask(updates.question(asked).put("sessionId", session.id()));
    open.put(asked.id(), answer);
    var unused =
        answer.whenComplete(
            (result, failure) -> {
              if (!answer.isCancelled()) {
                later(() -> answered(asked, Optional.ofNullable(result)));
              }
            });
  }

  private void later(Runnable action) {
    try {
      executor.execute(action);
    } catch (RejectedExecutionException e) {
      note("too much is going on to take the answer. The question stays open");
    }
  }

  /** Takes a request back that is decided. */
  synchronized void decided(String request) {
    Optional.ofNullable(open.remove(request)).ifPresent(link::withdraw);
  }

  /** Takes all back, at the end of the turn. */
  synchronized void withdrawAll() {
    List.copyOf(open.keySet()).forEach(this::decided);
  }

  private void answered(AskedPermission asked, Optional<RawJson> result) {
    Optional<PermissionAnswer> answer =
        result.flatMap(OpenQuestions::chosen).flatMap(asked::answer);
    if (answer.isPresent()) {
      send(answer.get());
    } else if (isOpen(asked.id()) && !result.map(OpenQuestions::isCancelled).orElse(false)) {
      note("the editor has not answered. The question stays open; answer it with", asked.id());
    }
  }

  private void send(PermissionAnswer answer) {
    try {
      JsonNode now = server.answer(answer);
      if (now.path("status").asText().equals("pending")) {
        note("your answer counts; others have to answer, too");
      }
    } catch (RefusedCall e) {
      if (e.status() != 409) { // Someone else was first, which an event says.
        refused(answer, e);
      }
    } catch (CommandFailed e) {
      refused(answer, e);
    }
  }

  private void refused(PermissionAnswer answer, CommandFailed why) {
    note("the answer was not taken: " + why.getMessage() + " Answer with", answer.requestId());
  }

  private synchronized boolean isOpen(String request) {
    return open.containsKey(request);
  }

  private void note(String text, String request) {
    note(text + "\n" + Texts.fenced(commands.of(request)));
  }

  private void note(String text) {
    link.update(session.id(), Chunks.note(text));
  }

  private static Optional<String> chosen(RawJson result) {
    return outcome(result)
        .filter(outcome -> outcome.path("outcome").asText().equals("selected"))
        .map(outcome -> outcome.path("optionId").asText(""));
  }

  /** The turn was cancelled, and the task with it. */
  private static boolean isCancelled(RawJson result) {
    return outcome(result)
        .filter(outcome -> outcome.path("outcome").asText().equals("cancelled"))
        .isPresent();
  }

  private static Optional<JsonNode> outcome(RawJson result) {
    try {
      return Optional.of(result.json().path("outcome"));
    } catch (BadJson e) {
      return Optional.empty();
    }
  }
}
