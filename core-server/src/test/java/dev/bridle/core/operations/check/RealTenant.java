package dev.bridle.core.operations.check;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateOAuthClientRequest;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.GetDeliveryRequest;
import dev.bridle.connector.v1.MappingTarget;
import dev.bridle.connector.v1.WebhookSignature;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.integrations.connector.SamplePolls;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import dev.bridle.core.integrations.schedule.SampleSchedules;
import dev.bridle.core.integrations.webhook.Hooks;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.memory.v1.DeleteMemoryRequest;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.TruncateSessionRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.vault.v1.DeleteVaultSecretRequest;
import dev.bridle.vault.v1.VaultServiceGrpc;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.WorkerBinding;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
  final String changedPermission;
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
    TenantWork work = new TenantWork(core, session);
    work.say("hello");
    completed = work.begin();
    reported = work.report();
    work.complete(reported, "artifact_of_another_system");
    work.verifyReceipt(completed);
    failed = work.begin();
    work.fail(false);
    retried = work.begin();
    work.fail(true);
    work.takeNext();
    canceled = work.submit("canceled");
    work.cancel(canceled);
    asking = work.begin();
    work.ask(0);
    parked = work.begin();
    work.ask(300);
    answered = work.begin();
    work.ask(300);
    core.tasks()
        .appendTaskMessage(
            AppendTaskMessageRequest.newBuilder()
                .setTaskId(answered)
                .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
                .setMessage(TenantWork.text("forty-two"))
                .build());
    stopping = work.take(answered);
    work.cancel(stopping);
    permitted = work.begin();
    permission = work.may();
    allowed = work.begin();
    usedPermission = work.may();
    grant = work.approve(usedPermission);
    work.take(allowed);
    work.may();
    changedPermission = work.change();
    work.approveOther(changedPermission);
    work.take(allowed);
    hosted = work.begin();
    work.host();
    work.approve(work.permissionOf(hosted));
    work.take(hosted);
    work.host();
    held = work.begin();
    var unused = work.report();
    work.say("again");
    queued = work.submit("queued");
    large = work.submit("x".repeat(200_000));
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
    relay();
    leaveTheMainPath(work);
    others();
    work.close();
    core.core().close();
  }

  String memory = "";
  String vault = "";
  String vaultSession = "";
  String schedule = "";
  Session fork = Session.getDefaultInstance();

  KeyValueStore store() {
    return core.store();
  }

  private void leaveTheMainPath(TenantWork work) {
    var sessions = SessionServiceGrpc.newBlockingStub(core.withKey("lineage"));
    fork = sessions.forkSession(ForkSessionRequest.newBuilder().setSessionId(session).build());
    sessions.truncateSession(
        TruncateSessionRequest.newBuilder().setSessionId(session).setKeepFirst(1).build());
    work.say("and on");
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
    vaultSession = SampleVaults.session(core.owner(), vault);
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

  String pairing = "";
  final String pendingExchange = "request-pending";
  final String decidedExchange = "request-decided";

  /**
   * Exchanges that wait for a person, wait for their enforcer, are withdrawn, and are delivered.
   */
  private void relay() {
    RelayClient relay = new RelayClient(core.owner());
    relay.approver("phone", "");
    for (String request : List.of(pendingExchange, decidedExchange, "withdrawn", "delivered")) {
      var unused =
          relay.submit(
              SampleEnvelopes.artifact("gate", request, Instant.parse("2126-01-01T00:00:00Z")));
    }
    relay.withdraw("withdrawn", "");
    relay.decide(SampleEnvelopes.decision("phone", "delivered", "nonce-1"));
    relay.acknowledge(
        SampleEnvelopes.ack("enforcerId", "gate", relay.decisions("gate").get(0), "processed"));
    relay.decide(SampleEnvelopes.decision("phone", decidedExchange, "nonce-2"));
    pairing =
        PairingServiceGrpc.newBlockingStub(core.owner())
            .initiate(
                InitiateRequest.newBuilder()
                    .setOffer(PairingOffer.newBuilder().setEnforcerId("gate").setPublicKey("a2V5"))
                    .build())
            .getNonce();
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

  @Override
  public void close() {
    core.store().close();
  }
}
