package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.StreamEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

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
    String unusedCwd = SessionPlace.cwd(params);
    JsonNode found = sessions.needStored(params.session());
    List<JsonNode> tasks =
        server.openTasks(params.session()); // Before its events, which may end them.
    EditorSession session = sessions.open(params, found, tasks);
    Turn turn = turns.begin(session);
    boolean goesOn = false;
    try {
      Replay replay = new Replay(session.id());
      server.history(session.id(), replay::show);
      List<String> left = EditorSessions.ids(tasks);
      left.removeAll(replay.ended);
      goesOn = goOn(session, turn, left, replay.last);
      return EditorSessions.opened(session);
    } finally {
      if (!goesOn) {
        session.end(turn);
      }
    }
  }

  /** Opens a session without showing what was. */
  ObjectNode resume(Params params) {
    String unusedCwd = SessionPlace.cwd(params);
    JsonNode found = sessions.needStored(params.session());
    List<JsonNode> tasks = server.openTasks(params.session());
    EditorSession session = sessions.open(params, found, tasks);
    Turn turn = turns.begin(session);
    if (!goOn(
        session, turn, EditorSessions.ids(tasks), SessionPlace.text(found, "last_event_id"))) {
      session.end(turn);
    }
    return EditorSessions.opened(session);
  }

  /** Watches the tasks that go on; false if there are none, or one waits for the next prompt. */
  private boolean goOn(
      EditorSession session, Turn turn, List<String> tasks, Optional<String> after) {
    if (tasks.isEmpty()) {
      return false;
    }
    if (server.status(tasks.get(0)).equals("INPUT_REQUIRED")) {
      session.waitFor(new EditorSession.WaitingTask(tasks.get(0), "", false, after));
      return false;
    }
    executor.execute(() -> turns.takeUp(session, turn, tasks, after));
    return true;
  }

  /** Shows events of a session as they came. For one thread. */
  private final class Replay {
    private final String session;
    private final Map<String, TaskUpdates> tasks = new HashMap<>();
    private final List<String> ended = new ArrayList<>();
    private Optional<String> last = Optional.empty();

    Replay(String session) {
      this.session = session;
    }

    void show(StreamEvent event) {
      last = Optional.of(event.id());
      String task = event.taskId();
      for (ObjectNode update :
          tasks.computeIfAbsent(task, id -> new TaskUpdates(id, commands, Set.of())).of(event)) {
        link.update(session, update);
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
  }
}
