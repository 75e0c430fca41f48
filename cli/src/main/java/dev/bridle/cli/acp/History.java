package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.StreamEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/** Takes sessions up again: shows what was said and done, and watches what goes on. */
final class History {
  private final EditorSessions sessions;
  private final BridleServer server;
  private final EditorLink link;
  private final Turns turns;
  private final AnswerCommands commands;
  private final Executor executor;

  History(
      EditorSessions sessions,
      BridleServer server,
      EditorLink link,
      Turns turns,
      AnswerCommands commands,
      Executor executor) {
    this.sessions = sessions;
    this.server = server;
    this.link = link;
    this.turns = turns;
    this.commands = commands;
    this.executor = executor;
  }

  /** Opens a session; its events are shown before the answer is returned. */
  ObjectNode load(Params params) {
    return open(
        params,
        (session, found) -> {
          Replay replay = new Replay(session.id());
          server.history(session.id(), replay::show);
          return replay;
        });
  }

  /** Opens a session without showing what was. */
  ObjectNode resume(Params params) {
    return open(
        params,
        (session, found) -> new Replay(session.id(), SessionPlace.text(found, "last_event_id")));
  }

  private ObjectNode open(Params params, BiFunction<EditorSession, JsonNode, Replay> shown) {
    var unusedFolder = SessionPlace.cwd(params);
    JsonNode found = sessions.needStored(params.session());
    // Before its events, which may end them.
    List<JsonNode> tasks = server.openTasks(params.session());
    EditorSession session = sessions.open(params, found, tasks);
    Turn turn = turns.begin(session);
    boolean isOpen = false;
    boolean goesOn = false;
    try {
      Replay replay = shown.apply(session, found);
      List<String> left = tasks.stream().map(task -> task.path("id").asText()).toList();
      goesOn = goOn(session, turn, replay.without(left), replay);
      isOpen = true;
    } finally {
      if (!goesOn) {
        session.end(turn);
      }
      if (!isOpen) {
        sessions.close(session.id());
      }
    }
    return EditorSessions.opened(session);
  }

  /** Watches the tasks that go on; false if there are none, or one waits for the next prompt. */
  private boolean goOn(EditorSession session, Turn turn, List<String> tasks, Replay replay) {
    if (tasks.isEmpty()) {
      return false;
    }
    if (server.status(tasks.get(0)).equals("INPUT_REQUIRED")) {
      session.waitFor(
          new EditorSession.WaitingTask(
              tasks.get(0), "", replay.isForm(tasks.get(0)), replay.last));
      return false;
    }
    executor.execute(() -> turns.takeUp(session, turn, tasks, replay.last, replay::updates));
    return true;
  }

  /** Shows events of a session as they came. For one thread at a time. */
  private final class Replay {
    private final String session;
    private final Map<String, TaskUpdates> tasks = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final Set<String> forms = new HashSet<>();
    private Optional<String> last;

    Replay(String session) {
      this(session, Optional.empty());
    }

    Replay(String session, Optional<String> last) {
      this.session = session;
      this.last = last;
    }

    void show(StreamEvent event) {
      last = Optional.of(event.id());
      String task = event.taskId();
      for (ObjectNode update : updates(task).of(event)) {
        link.update(session, update);
      }
      if (event.kind().equals("task.input_required")
          && event.body().at("/payload/schema").isObject()) {
        forms.add(task);
      }
      if (event.endsTask()) {
        TurnEnd end = TurnEnd.of(task, event);
        if (end.failed()) {
          link.update(session, Chunks.note(end.why()));
        }
        tasks.remove(task);
        ended.add(task);
      }
    }

    /** Returns what makes updates of a task's events, and knows those that were shown. */
    TaskUpdates updates(String task) {
      return tasks.computeIfAbsent(task, id -> new TaskUpdates(id, commands, Set.of()));
    }

    List<String> without(List<String> open) {
      return open.stream().filter(task -> !ended.contains(task)).toList();
    }

    boolean isForm(String task) {
      return forms.contains(task);
    }
  }
}
