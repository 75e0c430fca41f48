package dev.bridle.core.integrations.webhook;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.FieldMask;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.BackupServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateBackupRequest;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.operations.backup.Restoration;
import dev.bridle.core.server.TestCore;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.StoredBackup;
import dev.bridle.storage.embedded.BackupFolder;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.kit.OnDisk;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.webhook.v1.UpdateWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import io.grpc.Channel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks are changed, put back from a backup, and deleted with their tenant. */
class WebhookLifeTest {
  private static final KeyRange ALL = new KeyRange(new byte[0], new byte[] {(byte) 0xFF});
  private static final String OPERATOR = "operator-secret";

  @TempDir Path directory;
  private TestCore core;
  private Hooks hooks;
  private OddServer server;

  @BeforeEach
  void start() throws IOException {
    begin(TestCore.start(directory.resolve("data"), Hooks::quick));
    server = OddServer.answering(OddServer.status(204));
  }

  private void begin(TestCore started) {
    core = started;
    hooks = new Hooks(core.owner());
  }

  @AfterEach
  void stop() throws IOException {
    core.close();
    server.close();
  }

  @Test
  void whatAMaskNamesIsChangedAndNothingElse() throws IOException {
    String vault = SampleConnectors.vault(core.owner());
    Webhook made =
        hooks.made(
            Hooks.described(server, "task.canceled")
                .setSecret(SecretName.newBuilder().setVaultId(vault).setName("hook"))
                .setRetrySeconds(77));
    try (OddServer other = OddServer.answering(OddServer.status(204))) {
      Webhook changed =
          update(
              UpdateWebhookRequest.newBuilder()
                  .setWebhookId(made.getId())
                  .setUrl("http://127.0.0.1:" + other.port() + "/other")
                  .addEventKinds("task.submitted")
                  .setRetrySeconds(5),
              "url",
              "event_kinds",
              "secret");

      assertThat(changed.getUrl()).endsWith("/other");
      assertThat(changed.getEventKindsList()).containsExactly("task.submitted");
      assertThat(changed.hasSecret()).as("named and not given").isFalse();
      assertThat(changed.getRetrySeconds()).as("given and not named").isEqualTo(77);
      assertThat(hooks.current(made)).isEqualTo(changed);
      Task task = core.submit(core.newSession());
      assertThat(hooks.settled(made, 1).get(0).getTaskId()).isEqualTo(task.getId());
      // Sent at least once: a loaded machine may lose the first answer.
      assertThat(other.received()).isNotEmpty().allSatisfy(WebhookLifeTest::isUnsigned);
      assertThat(server.received()).isEmpty();
    }
  }

  private static void isUnsigned(OddServer.Received request) {
    assertThat(request.header("x-harn-signature")).isEmpty();
  }

  @Test
  void aChangeThatWouldNotWorkChangesNothing() {
    Webhook made = hooks.made(Hooks.described(server, "x"));

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "url",
        () ->
            update(
                UpdateWebhookRequest.newBuilder()
                    .setWebhookId(made.getId())
                    .setUrl("http://169.254.169.254/latest"),
                "url"));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "url",
        () -> update(UpdateWebhookRequest.newBuilder().setWebhookId(made.getId()), "url"));

    assertThat(hooks.current(made)).isEqualTo(made);
  }

  private Webhook update(UpdateWebhookRequest.Builder request, String... paths) {
    return WebhookServiceGrpc.newBlockingStub(core.owner())
        .updateWebhook(
            request.setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(paths))).build());
  }

  @Test
  void howFarAWebhookIsThatWantsNothingIsStoredNowAndThen() {
    String key = core.key();
    core.close();
    begin(
        TestCore.restart(
            directory.resolve("data"),
            options ->
                Hooks.quick(options)
                    .withWebhooks(
                        WebhookOptions.DEFAULT.withClaims(
                            Duration.ofMinutes(1), Duration.ofMillis(20))),
            key));
    Webhook webhook = hooks.made(Hooks.described(server, "nothing.of.that.kind"));
    String first = place(webhook);

    var unused = core.submit(core.newSession());

    await().untilAsserted(() -> assertThat(place(webhook)).isGreaterThan(first));
    assertThat(hooks.log(webhook)).isEmpty();
  }

  private String place(Webhook webhook) {
    KeyLayout layout = KeyLayout.root();
    WebhookStore webhooks = new WebhookStore(layout, new DueIndex(layout));
    return core.store()
        .read(tr -> webhooks.state(tr, "default", webhook.getId()))
        .map(WebhookStateRecord::getCursor)
        .orElseThrow();
  }

  @OnDisk
  @Test
  void whatWaitedInABackupIsNotSentOnceItIsPutBack() {
    server.answer(OddServer.status(500));
    Webhook webhook = hooks.made(Hooks.described(server, "task.submitted"));
    Task old = core.submit(core.newSession());
    await().until(() -> !hooks.log(webhook).isEmpty() && !server.received().isEmpty());
    core.core().admit(OPERATOR);
    var unused =
        BackupServiceGrpc.newBlockingStub(core.as(OPERATOR))
            .createBackup(
                CreateBackupRequest.newBuilder().setDirectory(backups().toString()).build());
    String key = core.key();
    core.close();
    server.answer(OddServer.status(204));
    int before = server.received().size();
    restore();
    begin(TestCore.restart(directory.resolve("restored"), Hooks::quick, key));

    Task fresh = core.submit(core.newSession());

    List<WebhookDelivery> log = hooks.settled(webhook, 2);
    assertThat(log)
        .extracting(WebhookDelivery::getTaskId, WebhookDelivery::getStatus)
        .containsExactlyInAnyOrder(
            tuple(old.getId(), WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DROPPED),
            tuple(fresh.getId(), WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED));
    assertThat(server.received()).hasSize(before + 1);
  }

  private Path backups() {
    return directory.resolve("backups");
  }

  private void restore() {
    Path restored = directory.resolve("restored");
    StoredBackup backup;
    try (BackupFolder folder = BackupFolder.existing(backups(), directory)) {
      backup = folder.restore(Optional.empty(), restored);
    }
    try (EmbeddedStore store = EmbeddedStore.open(restored, EmbeddedOptions.DEFAULT)) {
      var unused = new Restoration(store, Clock.systemUTC()).run(backup, Map.of(), 0);
    }
  }

  @Test
  void aTenantIsDeletedWithItsWebhooksAndWhatTheyHadToSend() {
    core.core().admit(OPERATOR);
    Channel operator = core.as(OPERATOR);
    Channel acme =
        core.as(
            AdminServiceGrpc.newBlockingStub(operator)
                .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId("acme").build())
                .getSecret());
    server.answer(OddServer.status(500));
    Hooks theirs = new Hooks(acme);
    Webhook webhook = theirs.made(Hooks.described(server, "task.*"));
    Webhook ours = hooks.made(Hooks.described(server, "task.*"));
    var task =
        TaskServiceGrpc.newBlockingStub(acme)
            .submitSessionTask(
                TestCore.submission(
                    SessionServiceGrpc.newBlockingStub(acme)
                        .createSession(
                            CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
                        .getId()));
    assertThat(task.getId()).isNotEmpty();
    await().until(() -> theirs.log(webhook).stream().anyMatch(one -> one.getFailures() > 0));

    var deleted =
        TenantServiceGrpc.newBlockingStub(operator)
            .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId("acme").build());

    assertThat(deleted.isInitialized()).isTrue();
    // What was under way may come back yet, and finds nothing.
    await().untilAsserted(() -> assertThat(rowsNaming("acme")).as("the era").isEqualTo(1));
    assertThat(hooks.all()).containsExactly(ours);
  }

  private long rowsNaming(String tenant) {
    return core.store().read(tr -> tr.getRange(ALL, 10_000)).stream()
        .filter(row -> new String(row.key(), StandardCharsets.ISO_8859_1).contains(tenant))
        .count();
  }
}
