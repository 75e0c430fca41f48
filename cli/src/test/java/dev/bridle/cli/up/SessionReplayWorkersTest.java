package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays of sessions by the server's own worker. */
final class SessionReplayWorkersTest {
  @TempDir private Path directory;

  @Test
  void theTasksOfASessionAreReplayedInTheirOrderAndMakeTheSegmentsThatTheyMakeAlone() {
    try (KeyValueStore store = SuiteStore.open(directory);
        ReplayingServer server = new ReplayingServer(store)) {
      String session = server.session();
      List<String> tasks = tasks(server, session);

      Task replay = server.replaySession(session);

      assertThat(replay.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
      List<Event> completed = of(server, replay, "replay.completed");
      assertThat(completed)
          .extracting(event -> event.getReplay().getSourceTaskId())
          .containsExactlyElementsOf(tasks);
      for (int i = 0; i < tasks.size(); i++) {
        String alone = server.segment(server.replay(tasks.get(i)).getId());
        assertThat(server.content(member(completed.get(i), "artifact_id"))).isEqualTo(alone);
      }
      assertThat(of(server, replay, "session.replayed"))
          .singleElement()
          .satisfies(
              event ->
                  assertThat(event.getPayload().toStringUtf8())
                      .isEqualTo(
                          "{\"session_id\":\""
                              + session
                              + "\",\"replayed\":3,\"not_replayed\":0,\"not_ended\":0,"
                              + "\"replays_left_out\":0}"));
    }
  }

  @Test
  void aDifferenceInOneTaskIsNamedAndTheOthersAreReplayed() {
    try (KeyValueStore store = SuiteStore.open(directory);
        ReplayingServer server = new ReplayingServer(store)) {
      String session = server.session();
      List<String> tasks = tasks(server, session);
      change(store, session, tasks.get(0));
      String withoutReceipt = server.ended(server.submit(session, false));

      Task replay = server.replaySession(session);

      assertThat(replay.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
      assertThat(replay.getFailure().getCode()).isEqualTo("replay_diverged");
      assertThat(replay.getFailure().getMessage())
          .isEqualTo(tasks.get(0) + ": replay_diverged: log_digest");
      assertThat(of(server, replay, "replay.failed"))
          .extracting(event -> event.getReplay().getSourceTaskId())
          .containsExactly(tasks.get(0), withoutReceipt);
      assertThat(of(server, replay, "replay.completed"))
          .extracting(event -> event.getReplay().getSourceTaskId())
          .containsExactly(tasks.get(1), tasks.get(2));
      assertThat(of(server, replay, "session.replayed"))
          .singleElement()
          .satisfies(
              event ->
                  assertThat(event.getPayload().toStringUtf8())
                      .contains("\"replayed\":2,\"not_replayed\":2"));
    }
  }

  private static List<String> tasks(ReplayingServer server, String session) {
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      tasks.add(server.ended(server.submit(session, true)));
    }
    return tasks;
  }

  private static void change(KeyValueStore store, String session, String task) {
    EventLog log = EventLog.open(store, KeyLayout.root());
    String tenant = ReplayingServer.TENANT;
    StoredEvent event = store.read(tr -> log.readTask(tr, tenant, session, task, 0, 10)).get(2);
    EventRecord changed = parsed(event).toBuilder().setActor("somebody else").build();
    var replaced =
        store.transact(
            tr -> {
              log.replace(tr, tenant, event, changed.toByteArray());
              return changed;
            });
    assertThat(replaced.getSequence()).isEqualTo(2);
  }

  private static EventRecord parsed(StoredEvent event) {
    try {
      return EventRecord.parseFrom(event.body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Event> of(ReplayingServer server, Task replay, String kind) {
    return server.events(replay.getId()).stream()
        .filter(event -> event.getEvent().equals(kind))
        .toList();
  }

  private static String member(Event event, String name) {
    String payload = event.getPayload().toStringUtf8();
    return payload.replaceFirst(".*\"" + name + "\":\"([^\"]*)\".*", "$1");
  }
}
