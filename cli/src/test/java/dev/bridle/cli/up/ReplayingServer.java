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
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplaySessionRequest;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
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
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A core with its demo agent and its replay worker. */
final class ReplayingServer implements AutoCloseable {
  static final String TENANT = "default";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final CoreOptions OPTIONS =
      CoreOptions.DEFAULT
          .withListener("127.0.0.1", 0)
          .withAccess(AccessOptions.NONE.withMasterKey(MasterKey.make()));

  private final CoreServer core;
  private final TenantWorkers demo;
  private final TenantWorkers replays;
  private final TenantWorkers sessions;
  private final Channel channel;

  ReplayingServer(KeyValueStore store) {
    this.core = CoreServer.start(store, OPTIONS);
    this.demo = DemoWorkers.of(core);
    this.replays = ReplayWorkers.of(core);
    this.sessions = ReplayWorkers.ofSessions(core);
    core.onTenants(demo);
    core.onTenants(replays);
    core.onTenants(sessions);
    this.channel =
        OperatorKey.withBearer(core.channel(), core.processCredential(TENANT, "ada", Set.of("*")));
  }

  Channel channel() {
    return channel;
  }

  String session() {
    return SessionServiceGrpc.newBlockingStub(channel)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  String submit(boolean receipt) {
    return submit(session(), receipt);
  }

  String submit(String session, boolean receipt) {
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

  Task replaySession(String session) {
    ReplaySessionRequest request = ReplaySessionRequest.newBuilder().setSessionId(session).build();
    return task(ended(ReplayServiceGrpc.newBlockingStub(channel).replaySession(request).getId()));
  }

  List<Event> events(String task) {
    return EventServiceGrpc.newBlockingStub(channel)
        .listTaskEvents(ListTaskEventsRequest.newBuilder().setTaskId(task).setLimit(200).build())
        .getDataList();
  }

  List<String> kinds(String task) {
    return events(task).stream().map(Event::getEvent).toList();
  }

  String segment(String replay) {
    return content(
        ArtifactServiceGrpc.newBlockingStub(channel)
            .listArtifacts(ListArtifactsRequest.newBuilder().setTaskId(replay).build())
            .getData(0)
            .getId());
  }

  String content(String id) {
    ArtifactServiceGrpc.ArtifactServiceBlockingStub artifacts =
        ArtifactServiceGrpc.newBlockingStub(channel);
    StringBuilder content = new StringBuilder();
    artifacts
        .downloadArtifactContent(
            DownloadArtifactContentRequest.newBuilder().setArtifactId(id).build())
        .forEachRemaining(piece -> content.append(piece.getData().toString(UTF_8)));
    return content.toString();
  }

  @Override
  public void close() {
    sessions.close();
    replays.close();
    demo.close();
    core.close();
  }
}
