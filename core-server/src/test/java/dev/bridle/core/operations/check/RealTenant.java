package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateOAuthClientRequest;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.GetDeliveryRequest;
import dev.bridle.connector.v1.MappingTarget;
import dev.bridle.connector.v1.WebhookSignature;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.integrations.connector.SamplePolls;
import dev.bridle.core.integrations.schedule.SampleSchedules;
import dev.bridle.core.integrations.webhook.Hooks;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.memory.v1.DeleteMemoryRequest;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.TruncateSessionRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.vault.v1.DeleteVaultSecretRequest;
import dev.bridle.vault.v1.VaultServiceGrpc;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.MessageReport;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerBinding;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * What a real core leaves of a tenant that has used everything: tasks in every state, messages,
 * artifacts, questions, cancellations, keys, agents, idempotency keys.
 */
final class RealTenant implements AutoCloseable {
  private static final TaskOptions SLOW =
      TaskOptions.DEFAULT
          .withLease(Duration.ofMinutes(10), Duration.ofSeconds(5))
          .withCancelGrace(Duration.ofMinutes(10));

  private final TestCore core;
  private final TestWorker worker;
  final SharedResources shared;
  final String session;
  final String queued;
  final String held;
  final String asking;
  final String parked;
  final String answered;
  final String permitted;
  final String permission;
  final String allowed;
  final String usedPermission;
  final String grant;
  final String hosted;
  final String completed;
  final String failed;
  final String canceled;
  final String stopping;
  final String retried;
  final String large;
  final String artifact;
  final String reported;
  final String client;
  final String otherWorkspace;
  final String otherSession;

  RealTenant(Path directory) {
    core = TestCore.start(directory, SLOW);
    core.core().admit("operator");
    client =
        OAuthAdminServiceGrpc.newBlockingStub(core.as("operator"))
            .createOAuthClient(
                CreateOAuthClientRequest.newBuilder().addWorkspaceIds("default").build())
            .getClient()
            .getId();
    worker = new TestWorker(core.owner(), "", "w1");
    shared = SharedResources.in(core.owner());
    session =
        SessionServiceGrpc.newBlockingStub(core.withKey("session"))
            .createSession(
                CreateSessionRequest.newBuilder()
                    .setWorkspaceId("default")
                    .setPersonaId(shared.persona())
                    .addSkillIds(shared.skill())
                    .addMemoryIds(shared.memory())
                    .build())
            .getId();
    say("hello");
    completed = begin();
    reported = report(lease);
    core.workers()
        .completeTask(
            CompleteTaskRequest.newBuilder()
                .addArtifactIds(reported)
                .addArtifactIds("artifact_of_another_system")
                .setTaskId(completed)
                .setFence(lease.getFence())
                .setSummary("done")
                .setMessage(text("all done"))
                .build());
    failed = begin();
    fail(false);
    retried = begin();
    fail(true);
    worker.want(1);
    lease = worker.lease();
    canceled = submit("canceled");
    cancel(canceled);
    asking = begin();
    ask(0);
    parked = begin();
    ask(300);
    answered = begin();
    ask(300);
    core.tasks()
        .appendTaskMessage(
            AppendTaskMessageRequest.newBuilder()
                .setTaskId(answered)
                .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
                .setMessage(text("forty-two"))
                .build());
    stopping = take(answered);
    cancel(stopping);
    permitted = begin();
    permission = may();
    allowed = begin();
    usedPermission = may();
    grant = approve(usedPermission);
    take(allowed);
    may();
    hosted = begin();
    host();
    approve(permissionOf(hosted));
    take(hosted);
    host();
    held = begin();
    var unused = report(lease);
    say("again");
    queued = submit("queued");
    large = submit("x".repeat(200_000));
    var described = Uploading.described().setSessionId(session);
    artifact = Uploading.registered(core.owner(), described).getId();
    Uploading.upload(core.owner(), artifact, Uploading.noise(1_500_000));
    Uploading.registered(core.owner(), Uploading.described().setWorkspaceId("default"));
    otherWorkspace =
        WorkspaceServiceGrpc.newBlockingStub(core.owner())
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder()
                    .setName("second")
                    .setRoot("workspace://second")
                    .build())
            .getId();
    otherSession =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(otherWorkspace).build())
            .getId();
    remember();
    keepSecrets();
    connect();
    writeFiles();
    schedule =
        SampleSchedules.made(core.owner(), SampleSchedules.at("2126-01-01T00:00:00Z")).getId();
    tell();
    leaveTheMainPath();
    others();
    worker.close();
    core.core().close();
  }

  private TaskLease lease = TaskLease.getDefaultInstance();
  String memory = "";
  String vault = "";
  String vaultSession = "";
  String schedule = "";
  Session fork = Session.getDefaultInstance();

  KeyValueStore store() {
    return core.store();
  }

  private void leaveTheMainPath() {
    var sessions = SessionServiceGrpc.newBlockingStub(core.withKey("lineage"));
    fork = sessions.forkSession(ForkSessionRequest.newBuilder().setSessionId(session).build());
    sessions.truncateSession(
        TruncateSessionRequest.newBuilder().setSessionId(session).setKeepFirst(1).build());
    say("and on");
  }

  /** A vault with a secret, one of which was deleted, and a session that names it. */
  private void keepSecrets() {
    vault = SampleVaults.made(core.owner(), "default").getId();
    SampleVaults.put(core.withKey("secret"), vault, "token", "swordfish");
    SampleVaults.put(core.owner(), vault, "gone", "swordfish");
    var unused =
        VaultServiceGrpc.newBlockingStub(core.owner())
            .deleteVaultSecret(
                DeleteVaultSecretRequest.newBuilder()
                    .setVaultId(vault)
                    .setSecretName("gone")
                    .build());
    vaultSession =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .createSession(
                CreateSessionRequest.newBuilder()
                    .setWorkspaceId("default")
                    .addVaultIds(vault)
                    .build())
            .getId();
  }

  String connector = "";
  String poller = "";
  String failedDelivery = "";
  String doneDelivery = "";

  /** A connector with a delivery that became a message, and one that failed. */
  private void connect() {
    String own =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
            .getId();
    CreateConnectorRequest.Builder described =
        SampleConnectors.described("").setTargetSessionId(own);
    described.getWebhookBuilder().setSignature(WebhookSignature.newBuilder().setPreset("none"));
    described.getMappingBuilder().setTarget(MappingTarget.MAPPING_TARGET_MESSAGE);
    Connector made = SampleConnectors.made(core.owner(), described);
    connector = made.getId();
    doneDelivery = deliver(made, "{\"title\":\"one\"}", DeliveryStatus.DELIVERY_STATUS_DONE);
    failedDelivery = deliver(made, "{}", DeliveryStatus.DELIVERY_STATUS_FAILED);
    poller =
        SampleConnectors.made(
                core.owner(),
                SamplePolls.described(
                    SamplePolls.list("https://news.example/")
                        .clearIntervalSeconds()
                        .setCron("0 0 1 1 *")))
            .getId();
  }

  private String deliver(Connector made, String body, DeliveryStatus wanted) {
    String id =
        SampleConnectors.deliver(
                core.core().channel(),
                SampleConnectors.delivery(SampleConnectors.ingress(made), body, Map.of()))
            .getDeliveryId();
    var deliveries = DeliveryServiceGrpc.newBlockingStub(core.owner());
    GetDeliveryRequest asked =
        GetDeliveryRequest.newBuilder().setConnectorId(made.getId()).setDeliveryId(id).build();
    Awaitility.await().until(() -> deliveries.getDelivery(asked).getStatus() == wanted);
    return id;
  }

  String webhook = "";
  String webhookDelivery = "";

  /** A webhook that can't send what it has to. */
  private void tell() {
    Hooks hooks = new Hooks(core.owner());
    Webhook made =
        hooks.made(
            CreateWebhookRequest.newBuilder()
                .setWorkspaceId("default")
                .setUrl("https://bridle.invalid/hook")
                .addEventKinds("nothing.of.that.kind"));
    webhook = made.getId();
    webhookDelivery = hooks.test(made).getId();
  }

  private void writeFiles() {
    var workspaces = WorkspaceServiceGrpc.newBlockingStub(core.withKey("file"));
    for (int length : new int[] {10, 200_000}) {
      var unused =
          WorkspaceServiceGrpc.newBlockingStub(core.owner())
              .writeWorkspaceFile(file("notes/a.txt", length));
    }
    var unused = workspaces.writeWorkspaceFile(file("notes/deep/c.txt", 0));
  }

  private static WriteWorkspaceFileRequest file(String path, int length) {
    return WriteWorkspaceFileRequest.newBuilder()
        .setWorkspaceId("default")
        .setPath(path)
        .setContent("x".repeat(length))
        .build();
  }

  private void remember() {
    var memories = MemoryServiceGrpc.newBlockingStub(core.owner());
    memory =
        memories
            .createMemory(SharedResources.memory(MemoryScope.MEMORY_SCOPE_SESSION, session))
            .getId();
    String deleted =
        memories
            .createMemory(SharedResources.memory(MemoryScope.MEMORY_SCOPE_WORKSPACE, "default"))
            .getId();
    var unused =
        memories.deleteMemory(DeleteMemoryRequest.newBuilder().setMemoryId(deleted).build());
  }

  private void others() {
    core.workers()
        .registerWorker(
            RegisterWorkerRequest.newBuilder()
                .setAgentId("coder")
                .addBindings(WorkerBinding.newBuilder().setWorkspaceId("elsewhere"))
                .build());
    var admin = AdminServiceGrpc.newBlockingStub(core.as("operator"));
    String key =
        admin
            .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId("other").build())
            .getKey()
            .getId();
    var unused =
        admin.revokeApiKey(
            RevokeApiKeyRequest.newBuilder().setTenantId("other").setKeyId(key).build());
  }

  private String submit(String text) {
    return TaskServiceGrpc.newBlockingStub(core.withKey("task " + text.hashCode()))
        .submitSessionTask(
            SubmitTaskRequest.newBuilder()
                .setSessionId(session)
                .setInput(SubmitTaskInput.newBuilder().setMessage(text(text)))
                .build())
        .getId();
  }

  private String begin() {
    Task task = core.submit(session);
    return take(task.getId());
  }

  private String take(String expected) {
    worker.want(1);
    lease = worker.lease();
    if (!lease.getTask().getId().equals(expected)) {
      throw new IllegalStateException("the lease of another task came");
    }
    var unused =
        core.workers()
            .heartbeat(
                HeartbeatRequest.newBuilder()
                    .addLeases(
                        HeldLease.newBuilder().setTaskId(expected).setFence(lease.getFence()))
                    .build());
    return expected;
  }

  /** Reports an artifact, whose id this returns, a fact and a word. */
  private String report(TaskLease of) {
    ReportStepRequest.Builder step =
        ReportStepRequest.newBuilder().setTaskId(of.getTask().getId()).setFence(of.getFence());
    String id =
        core.workers()
            .reportStep(
                step.setStepKey("file")
                    .setArtifact(
                        ArtifactReport.newBuilder()
                            .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
                            .setMimeType("text/plain")
                            .setVisibility(Visibility.VISIBILITY_PUBLIC)
                            .setContent(ByteString.copyFrom(Uploading.noise(100_000))))
                    .build())
            .getStep()
            .getArtifact()
            .getId();
    core.workers()
        .reportStep(
            step.setStepKey("fact")
                .setDependency(
                    DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("{\"a\":1}")))
                .build());
    core.workers()
        .reportStep(
            step.setStepKey("word")
                .setMessage(MessageReport.newBuilder().setMessage(text("working on it")))
                .build());
    return id;
  }

  private void ask(int holdSeconds) {
    var unused =
        core.workers()
            .requestInput(
                RequestInputRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setStepKey("ask")
                    .setPrompt("How many?")
                    .setHold(Durations.fromSeconds(holdSeconds))
                    .build());
  }

  /** Asks for a permission, or uses one, and returns the request's id. */
  private String may() {
    return core.workers()
        .requestPermission(
            RequestPermissionRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setStepKey("may")
                .setSource(PermissionSource.PERMISSION_SOURCE_ACP)
                .setPrompt("May I?")
                .setAction(
                    AskedAction.newBuilder()
                        .setKind("command")
                        .setTool("shell")
                        .setContent(ByteString.copyFromUtf8("{\"command\":\"ls\"}")))
                .build())
        .getRequestId();
  }

  /** Has a client asked to run a tool, or people whether one may be. */
  private void host() {
    var unused =
        core.workers()
            .requestInput(
                RequestInputRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setStepKey("host")
                    .setPrompt("Show it.")
                    .setToolCall(
                        HostToolCall.newBuilder()
                            .setName("open_file")
                            .setInput(ByteString.copyFromUtf8("{}")))
                    .build());
  }

  private String permissionOf(String task) {
    return PermissionServiceGrpc.newBlockingStub(core.owner())
        .listTaskPermissionRequests(
            ListTaskPermissionRequestsRequest.newBuilder().setTaskId(task).build())
        .getData(0)
        .getId();
  }

  private String approve(String request) {
    return PermissionServiceGrpc.newBlockingStub(core.owner())
        .respondPermissionRequest(
            RespondPermissionRequestRequest.newBuilder()
                .setRequestId(request)
                .setApproved(true)
                .setGrant("this_action")
                .build())
        .getResponse()
        .getGrantId();
  }

  private void fail(boolean retryable) {
    var unused = core.workers().failTask(TestCore.failure(lease, retryable));
  }

  private void cancel(String task) {
    var unused = core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
  }

  private void say(String words) {
    var unused =
        MessageServiceGrpc.newBlockingStub(core.withKey("say " + words))
            .appendSessionMessage(
                AppendSessionMessageRequest.newBuilder()
                    .setSessionId(session)
                    .setMessage(text(words))
                    .build());
  }

  private static MessageInput text(String words) {
    return MessageInput.newBuilder()
        .setRole(Role.ROLE_USER)
        .addParts(
            Part.newBuilder()
                .setText(
                    TextPart.newBuilder()
                        .setText(words)
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)))
        .build();
  }

  @Override
  public void close() {
    core.store().close();
  }
}
