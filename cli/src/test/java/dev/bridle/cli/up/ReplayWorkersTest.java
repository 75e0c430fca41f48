package dev.bridle.cli.up;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import dev.bridle.artifact.v1.ListArtifactsRequest;
import dev.bridle.cli.admin.OperatorKey;
import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.GetQuotaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.layer.DroppedEvent;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesRequest;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
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
  private static final String TENANT = "default";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final CoreOptions OPTIONS =
      CoreOptions.DEFAULT
          .withListener("127.0.0.1", 0)
          .withAccess(AccessOptions.NONE.withMasterKey(MasterKey.make()));

  @TempDir private Path directory;

  @Test
  void aReplayLeavesTheSameSegmentReceiptEachTimeAndOnEachEngine() throws IOException {
    Set<String> segments = new HashSet<>();
    String task;
    try (InMemoryStore memory = InMemoryStore.open();
        EmbeddedStore disk = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      try (Server server = new Server(memory)) {
        task = server.completedTask();
        String replay = task;
        for (int i = 0; i < 5; i++) {
          replay = server.replay(i < 3 ? task : replay).getId();
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
      try (Server server = new Server(disk)) {
        segments.add(server.segment(server.replay(task).getId()));
      }
    }
    assertThat(segments).hasSize(1);
    assertThat(segments.iterator().next())
        .contains("\"object\":\"replay_segment\"", task, "\"bridle.replay\"");
  }

  @Test
  void anEventThatWasChangedIsNamed() {
    try (InMemoryStore memory = InMemoryStore.open();
        Server server = new Server(memory)) {
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
        Server server = new Server(memory)) {
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
        Server server = new Server(memory)) {
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
        Server server = new Server(memory)) {
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
      Server server, EventLog log, KeyValueStore store, String task) {
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

  /** A core with its demo agent and its replay worker. */
  private static final class Server implements AutoCloseable {
    private final CoreServer core;
    private final TenantWorkers demo;
    private final TenantWorkers replays;
    private final Channel channel;

    Server(KeyValueStore store) {
      this.core = CoreServer.start(store, OPTIONS);
      this.demo = DemoWorkers.of(core);
      this.replays = ReplayWorkers.of(core);
      core.onTenants(demo);
      core.onTenants(replays);
      this.channel =
          OperatorKey.withBearer(
              core.channel(), core.processCredential(TENANT, "ada", Set.of("*")));
    }

    String submit(boolean receipt) {
      String session =
          SessionServiceGrpc.newBlockingStub(channel)
              .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
              .getId();
      return TaskServiceGrpc.newBlockingStub(channel)
          .submitSessionTask(
              SubmitTaskRequest.newBuilder()
                  .setSessionId(session)
                  .setReceipt(receipt)
                  .setInput(
                      SubmitTaskInput.newBuilder()
                          .setJson(ByteString.copyFromUtf8("{\"text\":\"one two one\"}")))
                  .build())
          .getId();
    }

    String quota() {
      return QuotaServiceGrpc.newBlockingStub(channel)
          .createQuota(
              CreateQuotaRequest.newBuilder()
                  .setScope(QuotaScope.QUOTA_SCOPE_TENANT)
                  .putLimits("tasks", 100)
                  .build())
          .getId();
    }

    double used(String quota) {
      return QuotaServiceGrpc.newBlockingStub(channel)
          .getQuota(GetQuotaRequest.newBuilder().setQuotaId(quota).build())
          .getUsageOrThrow("tasks");
    }

    /** Creates a webhook whose receiver is not there: what it would send can be listed. */
    String webhook() {
      return WebhookServiceGrpc.newBlockingStub(channel)
          .createWebhook(
              CreateWebhookRequest.newBuilder()
                  .setWorkspaceId("default")
                  .setUrl("https://hooks.example.invalid/bridle")
                  .addEventKinds("task.completed")
                  .addEventKinds("replay.*")
                  .build())
          .getId();
    }

    /** Returns the tasks that a webhook sends something about. */
    List<String> hooked(String webhook) {
      return WebhookServiceGrpc.newBlockingStub(channel)
          .listWebhookDeliveries(
              ListWebhookDeliveriesRequest.newBuilder().setWebhookId(webhook).setLimit(200).build())
          .getDataList()
          .stream()
          .map(WebhookDelivery::getTaskId)
          .toList();
    }

    String completedTask() {
      return ended(submit(true));
    }

    String ended(String task) {
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .until(
              () ->
                  Set.of(TaskStatus.TASK_STATUS_COMPLETED, TaskStatus.TASK_STATUS_FAILED)
                      .contains(task(task).getStatus()));
      return task;
    }

    Task task(String id) {
      return TaskServiceGrpc.newBlockingStub(channel)
          .getTask(GetTaskRequest.newBuilder().setTaskId(id).build());
    }

    /** Asks for a replay, as soon as there is room for one that waits. */
    Task ask(String task) {
      ReplayTaskRequest request = ReplayTaskRequest.newBuilder().setTaskId(task).build();
      while (true) {
        try {
          return ReplayServiceGrpc.newBlockingStub(channel).replayTask(request);
        } catch (StatusRuntimeException full) {
          assertThat(full.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
          Thread.onSpinWait();
        }
      }
    }

    Task replay(String task) {
      return task(ended(ask(task).getId()));
    }

    List<String> kinds(String task) {
      return EventServiceGrpc.newBlockingStub(channel)
          .listTaskEvents(ListTaskEventsRequest.newBuilder().setTaskId(task).build())
          .getDataList()
          .stream()
          .map(Event::getEvent)
          .toList();
    }

    String segment(String replay) {
      ArtifactServiceGrpc.ArtifactServiceBlockingStub artifacts =
          ArtifactServiceGrpc.newBlockingStub(channel);
      String id =
          artifacts
              .listArtifacts(ListArtifactsRequest.newBuilder().setTaskId(replay).build())
              .getData(0)
              .getId();
      StringBuilder content = new StringBuilder();
      artifacts
          .downloadArtifactContent(
              DownloadArtifactContentRequest.newBuilder().setArtifactId(id).build())
          .forEachRemaining(piece -> content.append(piece.getData().toString(UTF_8)));
      return content.toString();
    }

    @Override
    public void close() {
      replays.close();
      demo.close();
      core.close();
    }
  }
}
