package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.acp.EditorSession.WaitingTask;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RefusedCall;
import dev.bridle.host.rpc.RpcError;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The turns of sessions: prompts, and tasks that go on from before. */
final class Turns {
  private final BridleServer server;
  private final EditorLink link;
  private final AnswerCommands commands;
  private final Executor executor;
  private final Later later;

  Turns(BridleServer server, EditorLink link, AnswerCommands commands, Later later) {
    this.server = server;
    this.link = link;
    this.commands = commands;
    this.executor = later.executor();
    this.later = later;
  }

  /**
   * Begins a turn.
   *
   * @throws AcpRefusal if one runs in the session
   */
  Turn begin(EditorSession session) {
    Turn turn =
        new Turn(
            session,
            server,
            link,
            commands,
            new OpenQuestions(session, server, link, commands, executor),
            later);
    if (!session.begin(turn)) {
      throw AcpRefusal.of(
          RpcError.INVALID_REQUEST,
          "A prompt of this session is being worked on. Cancel it, or wait for its end.");
    }
    return turn;
  }

  /** Does a prompt, in a turn that has begun, and returns its answer. */
  ObjectNode prompt(EditorSession session, Turn turn, ArrayNode parts) {
    try {
      tellNotice(session);
      if (turn.isCancelled()) {
        return JsonLines.object().put("stopReason", "cancelled");
      }
      TurnEnd end = run(session, turn, parts);
      if (turn.isCancelled()) {
        var unused = session.takeWaiting();
      }
      return end.result(turn.isCancelled());
    } finally {
      session.end(turn);
    }
  }

  private void tellNotice(EditorSession session) {
    String notice = session.takeNotice();
    if (!notice.isEmpty()) {
      link.update(session.id(), Chunks.note(notice));
    }
  }

  private TurnEnd run(EditorSession session, Turn turn, ArrayNode parts) {
    Optional<WaitingTask> waiting = session.takeWaiting();
    if (waiting.isPresent()) {
      Set<String> known = answer(session, waiting.get(), parts);
      return turn.follow(
          waiting.get().id(),
          waiting.get().after(),
          new TaskUpdates(waiting.get().id(), commands, known));
    }
    JsonNode task = server.submit(session.id(), parts, session.modes().named(session.mode()));
    String id = task.path("id").asText();
    Set<String> known = Set.of(task.at("/input/id").asText());
    return turn.follow(id, Optional.empty(), new TaskUpdates(id, commands, known));
  }

  /** Answers a task that waits; if it does not wait any more, the user gets a note. */
  private Set<String> answer(EditorSession session, WaitingTask waiting, ArrayNode parts) {
    try {
      JsonNode message =
          server.answer(
              waiting.id(),
              waiting.stepKey(),
              waiting.isForm() ? PromptInput.filled(parts) : parts);
      return Set.of(message.path("id").asText());
    } catch (RefusedCall e) {
      if (e.status() != 409) {
        session.waitFor(waiting);
        throw e;
      }
      link.update(
          session.id(),
          Chunks.note(
              "the task does not wait for an answer any more, so that yours was not given: "
                  + e.getMessage()));
      return Set.of();
    }
  }

  /**
   * Watches tasks that go on from before, one after another, in a turn that has begun.
   *
   * @param tasks oldest first
   * @param after the last event that the editor has seen
   * @param updates makes updates of a task's events
   */
  void takeUp(
      EditorSession session,
      Turn turn,
      List<String> tasks,
      Optional<String> after,
      Function<String, TaskUpdates> updates) {
    try {
      for (String task : tasks) {
        TurnEnd end = turn.follow(task, after, updates.apply(task));
        if (end.failed()) {
          link.update(session.id(), Chunks.note(end.why()));
        }
        if (end.waits() || turn.isCancelled()) {
          return; // A cancel is of the task that was watched, not of those after it.
        }
      }
    } catch (AcpRefusal | CommandFailed e) {
      link.update(session.id(), Chunks.note(e.getMessage()));
    } finally {
      session.end(turn);
    }
  }

  /** Cancels the turn that runs in a session, if one does. */
  void cancel(EditorSession session) {
    Optional<Turn> running = session.running();
    Optional<String> task = running.flatMap(Turn::cancel);
    task.ifPresent(id -> executor.execute(() -> running.get().cancelTask(id)));
  }
}
