package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.fdb.FdbOptions;
import dev.bridle.storage.fdb.FdbStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.DroppedEvent;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays by the server's own worker, over logs that are as they were, and over others. */
final class ReplayWorkersTest {
  private static final String TENANT = ReplayingServer.TENANT;
  private static final int REPLAYS = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;

  @Test
  void aReplayLeavesTheSameSegmentReceiptEachTimeAndOnEachEngine() throws IOException {
    Set<String> segments = new HashSet<>();
    String task;
    try (InMemoryStore memory = InMemoryStore.open();
        EmbeddedStore disk = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      try (ReplayingServer server = new ReplayingServer(memory)) {
        task = server.completedTask();
        String replay = task;
        for (int i = 0; i < REPLAYS; i++) {
          replay = server.replay(i < REPLAYS / 2 ? task : replay).getId();
          assertThat(server.kinds(replay))
              .containsExactly(
                  "task.submitted",
                  "task.started",
                  "replay.started",
                  "replay.event_replayed",
                  "artifact.created",
                  "replay.completed",
                  "task.completed");
          segments.add(server.segment(replay));
        }
      }
      copy(memory, disk);
      try (ReplayingServer server = new ReplayingServer(disk)) {
        for (int i = 0; i < REPLAYS; i++) {
          segments.add(server.segment(server.replay(task).getId()));
        }
      }
    }
    assertThat(segments).hasSize(1);
    assertThat(segments.iterator().next())
        .contains("\"object\":\"replay_segment\"", task, "\"bridle.replay\"");
  }

  @Test
  void aClusterMakesTheSameSegmentReceipt() {
    FdbOptions cluster = SuiteStore.needCluster("replay-workers");
    Set<String> segments = new HashSet<>();
    try (InMemoryStore memory = InMemoryStore.open();
        FdbStore copy = FdbStore.open(cluster)) {
      String task;
      try (ReplayingServer server = new ReplayingServer(memory)) {
        task = server.completedTask();
        segments.add(server.segment(server.replay(task).getId()));
      }
      copy(memory, copy);
      try (ReplayingServer server = new ReplayingServer(copy)) {
        for (int i = 0; i < REPLAYS; i++) {
          segments.add(server.segment(server.replay(task).getId()));
        }
      }
    }
    assertThat(segments).hasSize(1);
  }

  @Test
  void anEventThatWasChangedIsNamed() {
    try (InMemoryStore memory = InMemoryStore.open();
        ReplayingServer server = new ReplayingServer(memory)) {
      String task = server.completedTask();
      EventLog log = EventLog.open(memory, KeyLayout.root());
      var changed =
          memory.transact(
              tr -> {
                StoredEvent event = events(server, log, memory, task).get(2);
                EventRecord record = parsed(event);
                log.replace(
                    tr,
                    TENANT,
                    event,
                    record.toBuilder().setActor("somebody else").build().toByteArray());
                return record;
              });
      assertThat(changed.getSequence()).isEqualTo(2);

      Task replay = server.replay(task);

      assertThat(replay.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
      assertThat(replay.getFailure().getCode()).isEqualTo("replay_diverged");
      assertThat(replay.getFailure().getMessage()).isEqualTo("replay_diverged: log_digest");
      assertThat(server.kinds(replay.getId()))
          .contains("replay.failed")
          .doesNotContain("replay.completed", "artifact.created");
    }
  }

  @Test
  void aLogThatRetentionHasShortenedIsUnavailable() {
    try (InMemoryStore memory = InMemoryStore.open();
        ReplayingServer server = new ReplayingServer(memory)) {
      String task = server.completedTask();
      EventLog log = EventLog.open(memory, KeyLayout.root());
      List<StoredEvent> first = events(server, log, memory, task).subList(0, 2);
      var dropped =
          memory.transact(
              tr -> {
                log.drop(
                    tr,
                    TENANT,
                    first.stream()
                        .map(
                            event ->
                                new DroppedEvent(
                                    event.id(), event.stream(), task, parsed(event).getSequence()))
                        .toList());
                return first.size();
              });
      assertThat(dropped).isEqualTo(2);

      Task replay = server.replay(task);

      assertThat(replay.getFailure().getCode()).isEqualTo("replay_unavailable");
      assertThat(replay.getFailure().getMessage()).contains("events", "none before 2");
    }
  }

  @Test
  void aTaskWithoutAReceiptIsUnavailable() {
    try (InMemoryStore memory = InMemoryStore.open();
        ReplayingServer server = new ReplayingServer(memory)) {
      String task = server.ended(server.submit(false));

      Task replay = server.replay(task);

      assertThat(replay.getFailure().getCode()).isEqualTo("replay_unavailable");
      assertThat(replay.getFailure().getMessage()).contains("receipt");
    }
  }

  @Test
  void noQuotaAndNoWebhookHearsOfReplays() {
    replayOften(5);
  }

  @Tag("slow")
  @Test
  void noQuotaAndNoWebhookHearsOfAThousandReplays() {
    replayOften(1000);
  }

  private static void replayOften(int times) {
    try (InMemoryStore memory = InMemoryStore.open();
        ReplayingServer server = new ReplayingServer(memory)) {
      String quota = server.quota();
      String webhook = server.webhook();
      String task = server.completedTask();
      List<String> replays = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        replays.add(server.ask(task).getId());
      }
      Set<String> segments = new HashSet<>();
      for (String replay : replays) {
        String ended = server.ended(replay);
        assertThat(server.task(ended).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
        segments.add(server.segment(ended));
      }
      String last = server.completedTask();

      assertThat(segments).hasSize(1);
      // Events are delivered in their order, so that those of the replays have been looked at.
      await().atMost(PATIENCE).until(() -> server.hooked(webhook).contains(last));
      assertThat(server.hooked(webhook)).containsOnly(task, last);
      assertThat(server.used(quota)).isEqualTo(2);
    }
  }

  private static List<StoredEvent> events(
      ReplayingServer server, EventLog log, KeyValueStore store, String task) {
    String session = server.task(task).getSessionId();
    return store.read(tr -> log.readTask(tr, TENANT, session, task, 0, 100));
  }

  private static EventRecord parsed(StoredEvent event) {
    try {
      return EventRecord.parseFrom(event.body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void copy(KeyValueStore from, KeyValueStore to) {
    List<KeyValue> rows =
        from.read(
            tr ->
                tr.getRange(
                    new KeyRange(new byte[] {0}, new byte[] {(byte) 0xff}), Integer.MAX_VALUE));
    var copied =
        to.transact(
            tr -> {
              rows.forEach(row -> tr.set(row.key(), row.value()));
              return rows.size();
            });
    assertThat(copied).isPositive();
  }
}
