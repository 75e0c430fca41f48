package dev.bridle.core.fault;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.GetArtifactRequest;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.connector.v1.ListDeliveriesRequest;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.connector.v1.WebhookSignature;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.integrations.connector.SamplePolls;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.ToolResultPart;
import dev.bridle.message.v1.ToolResultStatus;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.schedule.v1.CreateScheduleRequest;
import dev.bridle.schedule.v1.DeleteScheduleRequest;
import dev.bridle.schedule.v1.GetScheduleRequest;
import dev.bridle.schedule.v1.MissedRuns;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.schedule.v1.UpdateScheduleRequest;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeartbeatResponse;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import dev.bridle.workspace.v1.ReadWorkspaceFileRequest;
import dev.bridle.workspace.v1.WorkspaceFile;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What clients and workers ask of a core, in words. */
final class Steps {
  private static final int MOST_TIMES = 40;

  private Steps() {}

  static Task submit(World world, String key) {
    return world.callOnce(
        "submit",
        key,
        channel -> TaskServiceGrpc.newBlockingStub(channel).submitSessionTask(world.submission()));
  }

  static Task cancel(World world, String task, String key) {
    CancelTaskRequest request =
        CancelTaskRequest.newBuilder().setTaskId(task).setReason("changed my mind").build();
    return world.callOnce(
        "cancel", key, channel -> TaskServiceGrpc.newBlockingStub(channel).cancelTask(request));
  }

  static String answer(World world, String task, String key) {
    AppendTaskMessageRequest request = TestCore.answer(task, "forty-two");
    return world
        .callOnce(
            "answer",
            key,
            channel -> TaskServiceGrpc.newBlockingStub(channel).appendTaskMessage(request))
        .getId();
  }

  static VaultSecret setSecret(World world, String name, String value, String key) {
    return world.callOnce(
        "set secret", key, channel -> SampleVaults.put(channel, world.vault(), name, value));
  }

  /** Makes a connector whose deliveries become tasks of the world's session. */
  static Connector connect(World world, String key) {
    CreateConnectorRequest.Builder described =
        SampleConnectors.described("").setTargetSessionId(world.session());
    described.getWebhookBuilder().setSignature(WebhookSignature.newBuilder().setPreset("none"));
    return world.callOnce("connect", key, channel -> SampleConnectors.made(channel, described));
  }

  /** Has a connector's path renewed where the answer that showed it was lost. */
  static Connector withPath(World world, Connector connector) {
    RenewConnectorIngressRequest request =
        RenewConnectorIngressRequest.newBuilder().setConnectorId(connector.getId()).build();
    Connector shown = connector;
    for (int i = 0; !shown.getWebhook().hasPath(); i++) {
      shown =
          world.callOnce(
              "renew",
              "renew-" + i,
              channel ->
                  ConnectorServiceGrpc.newBlockingStub(channel).renewConnectorIngress(request));
    }
    return shown;
  }

  static IngestResponse deliver(World world, Connector connector, String body) {
    return world.call(
        "deliver",
        channel ->
            SampleConnectors.deliver(
                channel,
                SampleConnectors.delivery(SampleConnectors.ingress(connector), body, Map.of())));
  }

  /** Makes a connector that polls a list, and takes what is there as well. */
  static Connector poll(World world, String key) {
    CreateConnectorRequest.Builder described =
        SamplePolls.described(
                SamplePolls.list("https://news.example/")
                    .setItems("")
                    .setInitial(InitialItems.INITIAL_ITEMS_ALL))
            .setTargetSessionId(world.session());
    return world.callOnce("poll", key, channel -> SampleConnectors.made(channel, described));
  }

  /** Lets time pass until so many items became something, and returns what they are known by. */
  static List<String> polled(World world, Connector connector, int count) {
    ListDeliveriesRequest request =
        ListDeliveriesRequest.newBuilder()
            .setConnectorId(connector.getId())
            .setStatus(DeliveryStatus.DELIVERY_STATUS_DONE)
            .build();
    List<Delivery> done = List.of();
    for (int i = 0; i < MOST_TIMES && done.size() < count; i++) {
      world.leaseTimePasses();
      done =
          world
              .call(
                  "look",
                  channel -> DeliveryServiceGrpc.newBlockingStub(channel).listDeliveries(request))
              .getDataList();
    }
    return done.stream().map(Delivery::getDedupeKey).toList();
  }

  static void pollNoMore(World world, Connector connector, String key) {
    DeleteConnectorRequest request =
        DeleteConnectorRequest.newBuilder().setConnectorId(connector.getId()).build();
    var unused =
        world.callOnce(
            "poll no more",
            key,
            channel -> ConnectorServiceGrpc.newBlockingStub(channel).deleteConnector(request));
  }

  static UseSecretResponse useSecret(World world, TaskLease lease, String name) {
    UseSecretRequest request =
        UseSecretRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setName(name)
            .build();
    return world.call(
        "use secret", channel -> WorkerServiceGrpc.newBlockingStub(channel).useSecret(request));
  }

  static WorkspaceFile write(World world, String path, String content, String key) {
    WriteWorkspaceFileRequest request =
        WriteWorkspaceFileRequest.newBuilder()
            .setWorkspaceId("default")
            .setPath(path)
            .setContent(content)
            .build();
    return world.callOnce(
        "write",
        key,
        channel -> WorkspaceServiceGrpc.newBlockingStub(channel).writeWorkspaceFile(request));
  }

  static String read(World world, String path) {
    ReadWorkspaceFileRequest request =
        ReadWorkspaceFileRequest.newBuilder().setWorkspaceId("default").setPath(path).build();
    return world
        .call(
            "read",
            channel -> WorkspaceServiceGrpc.newBlockingStub(channel).readWorkspaceFile(request))
        .getFile()
        .getContent();
  }

  static Artifact register(World world, String key) {
    return world.callOnce(
        "register",
        key,
        channel ->
            ArtifactServiceGrpc.newBlockingStub(channel)
                .registerArtifact(Uploading.described().setSessionId(world.session()).build()));
  }

  /** Sends content until it is there. A client that hears of no answer looks whether it is. */
  static Artifact upload(World world, String artifact, byte[] content) {
    return world.call(
        "upload",
        channel -> {
          try {
            return Uploading.upload(channel, artifact, content);
          } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
              throw e;
            }
            return ArtifactServiceGrpc.newBlockingStub(channel)
                .getArtifact(GetArtifactRequest.newBuilder().setArtifactId(artifact).build());
          }
        });
  }

  static HeartbeatResponse beat(World world, TaskLease lease) {
    HeartbeatRequest request =
        HeartbeatRequest.newBuilder()
            .addLeases(
                HeldLease.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence()))
            .build();
    return world.call(
        "heartbeat", channel -> WorkerServiceGrpc.newBlockingStub(channel).heartbeat(request));
  }

  static RecordedStep progress(World world, TaskLease lease, String step) {
    return report(
        world,
        report(lease, step).setProgress(ProgressReport.newBuilder().setText("half way")).build());
  }

  static RecordedStep artifact(World world, TaskLease lease, String step) {
    return report(
        world,
        report(lease, step)
            .setArtifact(
                ArtifactReport.newBuilder()
                    .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
                    .setMimeType("text/plain")
                    .setVisibility(Visibility.VISIBILITY_PUBLIC)
                    .setContent(ByteString.copyFromUtf8("hello")))
            .build());
  }

  private static ReportStepRequest.Builder report(TaskLease lease, String step) {
    return ReportStepRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(step);
  }

  private static RecordedStep report(World world, ReportStepRequest request) {
    return world
        .call("report", channel -> WorkerServiceGrpc.newBlockingStub(channel).reportStep(request))
        .getStep();
  }

  static RequestInputResponse ask(World world, TaskLease lease) {
    RequestInputRequest request =
        RequestInputRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setStepKey("ask")
            .setPrompt("How many?")
            .build();
    return world.call(
        "question", channel -> WorkerServiceGrpc.newBlockingStub(channel).requestInput(request));
  }

  /** Asks for a tool that nobody may take longer for than five seconds. */
  static RequestInputResponse hostTool(World world, TaskLease lease, String step) {
    RequestInputRequest request =
        RequestInputRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setStepKey(step)
            .setPrompt("Show it.")
            .setToolCall(
                HostToolCall.newBuilder()
                    .setName("open_file")
                    .setInput(ByteString.copyFromUtf8("{\"path\":\"a\"}"))
                    .setTimeout(Durations.fromSeconds(5)))
            .build();
    return world.call(
        "host tool", channel -> WorkerServiceGrpc.newBlockingStub(channel).requestInput(request));
  }

  /** Answers the first call of a task's tools. */
  static String hostResult(World world, String task, String key) {
    List<Event> events =
        world
            .call(
                "events",
                channel ->
                    EventServiceGrpc.newBlockingStub(channel)
                        .listTaskEvents(
                            ListTaskEventsRequest.newBuilder()
                                .setTaskId(task)
                                .setLimit(200)
                                .build()))
            .getDataList();
    String asked =
        events.stream()
            .filter(event -> event.getEvent().equals("tool.requested"))
            .map(event -> event.getPayload().toStringUtf8())
            .findFirst()
            .orElseThrow();
    int from = asked.indexOf("\"call_") + 1;
    AppendTaskMessageRequest request =
        AppendTaskMessageRequest.newBuilder()
            .setTaskId(task)
            .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
            .setMessage(
                MessageInput.newBuilder()
                    .setRole(Role.ROLE_TOOL)
                    .addParts(
                        Part.newBuilder()
                            .setToolResult(
                                ToolResultPart.newBuilder()
                                    .setToolCallId(asked.substring(from, asked.indexOf('"', from)))
                                    .setOutput(ByteString.copyFromUtf8("true"))
                                    .setStatus(ToolResultStatus.TOOL_RESULT_STATUS_OK)
                                    .setVisibility(Visibility.VISIBILITY_PUBLIC))))
            .build();
    return world
        .callOnce(
            "host result",
            key,
            channel -> TaskServiceGrpc.newBlockingStub(channel).appendTaskMessage(request))
        .getId();
  }

  /** Returns the permission request that a task waits with. */
  static String pending(World world, String task) {
    return world
        .call(
            "pending",
            channel ->
                PermissionServiceGrpc.newBlockingStub(channel)
                    .listTaskPermissionRequests(
                        ListTaskPermissionRequestsRequest.newBuilder().setTaskId(task).build()))
        .getData(0)
        .getId();
  }

  static RequestPermissionResponse may(World world, TaskLease lease, Duration timeout) {
    RequestPermissionRequest request =
        RequestPermissionRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setStepKey("may")
            .setSource(PermissionSource.PERMISSION_SOURCE_ACP)
            .setPrompt("May I?")
            .setTimeout(Durations.fromMillis(timeout.toMillis()))
            .setAction(
                AskedAction.newBuilder()
                    .setKind("command")
                    .setTool("shell")
                    .setContent(ByteString.copyFromUtf8("{\"command\":\"ls\"}")))
            .build();
    return world.call(
        "permission",
        channel -> WorkerServiceGrpc.newBlockingStub(channel).requestPermission(request));
  }

  static PermissionRequest approve(World world, String permission, String grant, String key) {
    RespondPermissionRequestRequest request =
        RespondPermissionRequestRequest.newBuilder()
            .setRequestId(permission)
            .setApproved(true)
            .setGrant(grant)
            .build();
    return world.callOnce(
        "approve",
        key,
        channel ->
            PermissionServiceGrpc.newBlockingStub(channel).respondPermissionRequest(request));
  }

  static Task complete(World world, TaskLease lease) {
    CompleteTaskRequest request =
        CompleteTaskRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setSummary("done")
            .build();
    return world
        .call(
            "complete", channel -> WorkerServiceGrpc.newBlockingStub(channel).completeTask(request))
        .getTask();
  }

  static Task fail(World world, TaskLease lease, boolean retryable) {
    FailTaskRequest request = TestCore.failure(lease, retryable);
    return world
        .call("fail", channel -> WorkerServiceGrpc.newBlockingStub(channel).failTask(request))
        .getTask();
  }

  static Task acknowledgeCancel(World world, TaskLease lease) {
    AcknowledgeCancelRequest request =
        AcknowledgeCancelRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .build();
    return world
        .call(
            "acknowledge",
            channel -> WorkerServiceGrpc.newBlockingStub(channel).acknowledgeCancel(request))
        .getTask();
  }

  /** Makes a schedule of the session that runs when the world begins, missed or not. */
  static Schedule schedule(World world, String key) {
    CreateScheduleRequest request =
        CreateScheduleRequest.newBuilder()
            .setWorkspaceId("default")
            .setTargetSessionId(world.session())
            .setAt(world.began())
            .setMissed(MissedRuns.MISSED_RUNS_ONCE)
            .setText("Look around")
            .build();
    return world.callOnce(
        "schedule",
        key,
        channel -> ScheduleServiceGrpc.newBlockingStub(channel).createSchedule(request));
  }

  /** Lets time pass until a schedule has made another task, and returns that. */
  static String run(World world, String schedule, String before) {
    GetScheduleRequest request = GetScheduleRequest.newBuilder().setScheduleId(schedule).build();
    String task = before;
    for (int i = 0; i < MOST_TIMES && task.equals(before); i++) {
      world.leaseTimePasses();
      task =
          world
              .call(
                  "look",
                  channel -> ScheduleServiceGrpc.newBlockingStub(channel).getSchedule(request))
              .getLastTaskId();
    }
    return task;
  }

  static void reschedule(World world, String schedule, String key) {
    UpdateScheduleRequest request =
        UpdateScheduleRequest.newBuilder()
            .setScheduleId(schedule)
            .setAt(Timestamps.add(world.now(), Durations.fromSeconds(5)))
            .setUpdateMask(FieldMask.newBuilder().addPaths("at"))
            .build();
    var unused =
        world.callOnce(
            "reschedule",
            key,
            channel -> ScheduleServiceGrpc.newBlockingStub(channel).updateSchedule(request));
  }

  static void unschedule(World world, String schedule, String key) {
    DeleteScheduleRequest request =
        DeleteScheduleRequest.newBuilder().setScheduleId(schedule).build();
    var unused =
        world.callOnce(
            "unschedule",
            key,
            channel -> ScheduleServiceGrpc.newBlockingStub(channel).deleteSchedule(request));
  }

  /** Makes a webhook that hears of beginnings and ends of tasks. */
  static Webhook tellOutside(World world, String key) {
    CreateWebhookRequest request =
        CreateWebhookRequest.newBuilder()
            .setWorkspaceId("default")
            .setUrl("https://hooks.example/")
            .addEventKinds("task.submitted")
            .addEventKinds("task.completed")
            .build();
    return world.callOnce(
        "webhook",
        key,
        channel -> WebhookServiceGrpc.newBlockingStub(channel).createWebhook(request));
  }

  /** Lets time pass until a webhook has told so much, and returns what. */
  static List<WebhookDelivery> delivered(World world, String webhook, int count) {
    ListWebhookDeliveriesRequest request =
        ListWebhookDeliveriesRequest.newBuilder()
            .setWebhookId(webhook)
            .setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED)
            .build();
    List<WebhookDelivery> delivered = List.of();
    for (int i = 0; i < MOST_TIMES && delivered.size() < count; i++) {
      world.leaseTimePasses();
      delivered =
          world
              .call(
                  "look",
                  channel ->
                      WebhookServiceGrpc.newBlockingStub(channel).listWebhookDeliveries(request))
              .getDataList();
    }
    return delivered;
  }

  static WebhookDelivery of(String kind, List<WebhookDelivery> deliveries) {
    return deliveries.stream()
        .filter(delivery -> delivery.getEventKind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  static void tellNoMore(World world, String webhook, String key) {
    DeleteWebhookRequest request = DeleteWebhookRequest.newBuilder().setWebhookId(webhook).build();
    var unused =
        world.callOnce(
            "tell no more",
            key,
            channel -> WebhookServiceGrpc.newBlockingStub(channel).deleteWebhook(request));
  }
}
