package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.rest.RefusedCall;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.host.rpc.RpcError;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** A task that the editor watches, from an event of it to its end or to its question. */
final class Turn {
  private static final Set<String> DECIDED =
      Set.of(
          "tool.approved",
          "tool.denied",
          "vendor.bridle.permission_expired",
          "vendor.bridle.permission_changed");

  /** After what time a task that nobody takes is worth a word. */
  private static final Duration UNTAKEN = Duration.ofSeconds(5);

  private final EditorSession session;
  private final BridleServer server;
  private final EditorLink link;
  private final AnswerCommands commands;
  private final OpenQuestions questions;
  private final Later later;
  private Optional<String> task = Optional.empty();
  private boolean cancelled;

  Turn(
      EditorSession session,
      BridleServer server,
      EditorLink link,
      AnswerCommands commands,
      OpenQuestions questions,
      Later later) {
    this.session = session;
    this.server = server;
    this.link = link;
    this.commands = commands;
    this.questions = questions;
    this.later = later;
  }

  /** Sets that the editor wants no more of it; returns the task that is to be canceled. */
  synchronized Optional<String> cancel() {
    boolean first = !cancelled;
    cancelled = true;
    return first ? task : Optional.empty();
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Sets the task; returns whether it is to be canceled, since the editor was faster. */
  private synchronized boolean watches(String id) {
    task = Optional.of(id);
    return cancelled;
  }

  /**
   * Shows a task to the editor.
   *
   * @param after the last event that the editor has seen; empty to begin with the first
   * @param updates makes updates of its events
   */
  TurnEnd follow(String id, Optional<String> after, TaskUpdates updates) {
    if (watches(id)) {
      cancelTask(id);
    }
    try {
      if (after.isPresent() && server.status(id).equals("AUTH_REQUIRED")) {
        server.pending(id).stream()
            .map(AskedPermission::ofResource)
            .forEach(
                asked -> {
                  link.update(session.id(), updates.asked(asked));
                  questions.ask(asked, updates);
                });
      }
      later.after(UNTAKEN, () -> tellIfUntaken(id));
      AtomicReference<StreamEvent> last = new AtomicReference<>();
      server.follow(
          id,
          after,
          event -> {
            last.set(event);
            show(event, updates);
            return !event.endsTask() && !asksUser(event);
          });
      return TurnEnd.of(id, last.get());
    } catch (RefusedCall e) {
      throw e;
    } catch (CommandFailed e) {
      throw AcpRefusal.of(
          RpcError.INTERNAL, e.getMessage() + " The task goes on: " + commands.watch(id));
    } finally {
      questions.withdrawAll();
    }
  }

  /** Nothing else would say why nothing happens. */
  private void tellIfUntaken(String id) {
    if (session.running().equals(Optional.of(this)) && server.status(id).equals("SUBMITTED")) {
      link.update(
          session.id(),
          Chunks.note(
              "no agent has taken the task yet. It waits for one of its workspace and persona."));
    }
  }

  private void show(StreamEvent event, TaskUpdates updates) {
    for (ObjectNode update : updates.of(event)) {
      link.update(session.id(), update);
    }
    if (event.kind().equals("tool.approval_required")) {
      questions.ask(AskedPermission.ofEvent(event.body().path("payload")), updates);
    } else if (DECIDED.contains(event.kind())) {
      questions.decided(event.body().at("/payload/permission_request_id").asText());
    }
  }

  /** The stream has old questions, too: only one that is open ends the turn. */
  private boolean asksUser(StreamEvent event) {
    if (!event.kind().equals("task.input_required")
        || !event.body().at("/payload/tool_call_id").asText("").isEmpty()
        || isCancelled()
        || !server.status(event.taskId()).equals("INPUT_REQUIRED")) {
      return false;
    }
    session.waitFor(
        new EditorSession.WaitingTask(
            event.taskId(),
            event.body().at("/payload/step_key").asText(""),
            event.body().at("/payload/schema").isObject(),
            Optional.of(event.id())));
    return true;
  }

  /** Cancels a task, unless it has ended. */
  void cancelTask(String id) {
    try {
      server.cancel(id);
    } catch (RefusedCall e) {
      if (e.status() != 409) {
        link.update(session.id(), Chunks.note("not canceled: " + e.getMessage()));
      }
    } catch (CommandFailed e) {
      link.update(session.id(), Chunks.note("not canceled: " + e.getMessage()));
    }
  }
}
