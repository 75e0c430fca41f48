package dev.bridle.core.operations.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.BackupServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateBackupRequest;
import dev.bridle.admin.v1.CreateOAuthClientRequest;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.BackupFailedException;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoredBackup;
import dev.bridle.storage.embedded.BackupFolder;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.kit.OnDisk;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OnDisk
final class RestorationTest {
  @TempDir Path directory;

  @Test
  void aBackupUnderLoadHoldsAllThatWasAcknowledgedBefore() throws Exception {
    String key;
    List<String> before = new ArrayList<>();
    try (TestCore core = start()) {
      key = core.key();
      String session = core.newSession();
      for (int i = 0; i < 30; i++) {
        before.add(core.submit(session).getId());
      }
      AtomicBoolean stop = new AtomicBoolean();
      Thread load =
          new Thread(
              () -> {
                while (!stop.get()) {
                  core.submit(session);
                }
              });
      load.start();
      try {
        backUp(core, 0);
        backUp(core, 0);
      } finally {
        stop.set(true);
        load.join();
      }
    }
    restore(Optional.empty());
    try (TestCore core = TestCore.restart(restored(), TaskOptions.DEFAULT, key)) {
      for (String task : before) {
        assertThat(core.task(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
      }
      TestWorker worker = new TestWorker(core.owner(), "", "w");
      worker.want(1);
      assertThat(worker.lease().getAttempt()).isEqualTo(1);
    }
  }

  @Test
  void afterARestoreTasksWaitAgainAndEventsSortAfterAllThatWereSeen() {
    String key;
    String session;
    TaskLease held;
    String lastSeen;
    try (TestCore core = start()) {
      key = core.key();
      session = core.newSession();
      Task task = core.submit(session);
      TestWorker worker = new TestWorker(core.owner(), "", "w");
      worker.want(1);
      held = worker.lease();
      backUp(core, 0);
      for (int i = 0; i < 20; i++) {
        core.submit(session);
      }
      lastSeen = core.eventsOf(core.submit(session).getId()).get(0).getId();
      assertThat(held.getTask().getId()).isEqualTo(task.getId());
    }
    Restoration.Report report = restore(Optional.empty());
    assertThat(report.leases()).isEqualTo(1);

    try (TestCore core = TestCore.restart(restored(), TaskOptions.DEFAULT, key)) {
      TestWorker worker = new TestWorker(core.owner(), "", "w2");
      worker.want(1);
      TaskLease again = worker.lease();
      assertThat(again.getTask().getId()).isEqualTo(held.getTask().getId());
      assertThat(again.getFence()).isGreaterThan(held.getFence());
      List<Event> events = core.eventsOf(held.getTask().getId());
      assertThat(events.stream().map(Event::getEvent))
          .containsExactly(
              "task.submitted",
              "task.started",
              "vendor.bridle.attempt_ended",
              "vendor.bridle.attempt_started");
      assertThat(events.get(2).getPayload().toStringUtf8()).contains("restored");
      assertThat(events.get(2).getId()).isGreaterThan(lastSeen);
      assertThat(core.eventsOf(core.submit(session).getId()).get(0).getId())
          .isGreaterThan(lastSeen);
    }
  }

  @Test
  void aFolderKeepsTheLastBackupsAndAnyOfThemCanBePutBack() {
    try (TestCore core = start()) {
      core.newSession();
      for (int i = 0; i < 4; i++) {
        backUp(core, 2);
        core.newSession();
      }
    }
    try (BackupFolder folder = BackupFolder.existing(backups(), directory)) {
      assertThat(folder.list().stream().map(StoredBackup::number)).containsExactly(3, 4);
      assertThatThrownBy(() -> folder.restore(Optional.of(1), restored()))
          .isInstanceOf(BackupFailedException.class)
          .hasMessageContaining("holds no backup 1")
          .hasMessageContaining("[3, 4]");
      folder.restore(Optional.of(3), restored());
    }
    EmbeddedStore.open(restored(), EmbeddedOptions.DEFAULT).close();
  }

  @Test
  void aDamagedBackupIsNotPutBack() throws IOException {
    try (TestCore core = start()) {
      for (int i = 0; i < 50; i++) {
        core.newSession();
      }
      backUp(core, 0);
    }
    Path largest;
    try (Stream<Path> files = Files.walk(backups())) {
      largest =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(largest);
    bytes[bytes.length / 2] ^= 1;
    Files.write(largest, bytes);

    assertThatThrownBy(() -> restore(Optional.empty()))
        .isInstanceOf(BackupFailedException.class)
        .hasMessageContaining("can't be restored");
  }

  @Test
  void aFolderThatCannotBeWrittenLeavesTheServerRunning() throws IOException {
    Files.writeString(directory.resolve("file"), "no folder");
    try (TestCore core = start()) {
      assertThatThrownBy(() -> create(core, directory.resolve("file"), 0))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("can't be used");
      assertThat(core.newSession()).isNotEmpty();
    }
  }

  @Test
  void keysThatAreAliveAgainCanAllBeEnded() {
    String key;
    try (TestCore core = start()) {
      key = core.key();
      core.core().admit("operator-secret");
      var client =
          OAuthAdminServiceGrpc.newBlockingStub(core.as("operator-secret"))
              .createOAuthClient(CreateOAuthClientRequest.getDefaultInstance());
      assertThat(client.getSecret()).isNotEmpty();
      backUp(core, 0);
    }
    restore(Optional.empty());
    try (EmbeddedStore store = EmbeddedStore.open(restored(), EmbeddedOptions.DEFAULT)) {
      Restoration restoration = new Restoration(store, Clock.systemUTC());
      assertThat(restoration.keys()).hasSize(2).noneMatch(StoredTenants.Key::revoked);
      assertThat(restoration.revokeAll()).isEqualTo(new Restoration.Ended(2, 0));
      assertThat(restoration.keys()).hasSize(2).allMatch(StoredTenants.Key::revoked);
    }
    try (TestCore core = TestCore.restart(restored(), TaskOptions.DEFAULT, key)) {
      assertThatThrownBy(core::newSession).hasMessageContaining("unknown, expired or revoked");
    }
  }

  @Test
  void aBackupOfATenantThatIsBeingDeletedIsPutBackAndItsDeletionEnded() {
    String key;
    try (TestCore core = start()) {
      key = core.key();
      core.newSession();
      core.core().admit("operator-secret");
      assertThat(
              AdminServiceGrpc.newBlockingStub(core.as("operator-secret"))
                  .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId("acme").build())
                  .getSecret())
          .isNotEmpty();
      beginDeletion(core.store(), "acme");
      backUp(core, 0);
    }

    assertThat(restore(Optional.empty()).eras()).containsKey("default");

    Installation installation = new Installation(KeyLayout.root());
    try (TestCore core = TestCore.restart(restored(), TaskOptions.DEFAULT, key)) {
      assertThat(core.newSession()).isNotEmpty();
      await().until(() -> core.store().read(tr -> installation.tenant(tr, "acme")).isEmpty());
    }
  }

  private static void beginDeletion(KeyValueStore store, String tenant) {
    KeyLayout layout = KeyLayout.root();
    EventLog log = EventLog.open(store, layout);
    store.transact(
        tr -> {
          new Installation(layout)
              .putTenant(
                  tr, tenant, TenantRecord.newBuilder().setDeletingAt(1).build().toByteArray());
          log.close(tr, tenant);
          return true;
        });
  }

  @Tag("slow")
  @Test
  void allKeysOfATenantThatHasMoreThanOnePageOfThemAreEnded() {
    try (TestCore core = start()) {
      makeKeys(core.store(), 10_001);
      backUp(core, 0);
    }
    restore(Optional.empty());
    try (EmbeddedStore store = EmbeddedStore.open(restored(), EmbeddedOptions.DEFAULT)) {
      Restoration restoration = new Restoration(store, Clock.systemUTC());
      assertThat(restoration.revokeAll()).isEqualTo(new Restoration.Ended(10_002, 0));
      assertThat(restoration.keys()).hasSize(10_002).allMatch(StoredTenants.Key::revoked);
    }
  }

  private static void makeKeys(KeyValueStore store, int count) {
    KeyLayout layout = KeyLayout.root();
    Clock clock = Clock.systemUTC();
    IdMint mint = new IdMint(clock, new SecureRandom());
    CredentialStore<ApiKeyRecord> keys =
        new CredentialStore<>(ApiKeys.KIND, layout, new Installation(layout), mint, clock);
    EventLog log = EventLog.open(store, layout);
    for (int made = 0; made < count; ) {
      int from = made;
      int to = Math.min(count, made + 1000);
      made =
          store.transact(
              tr -> {
                var appender = log.appender(tr, "default");
                for (int i = from; i < to; i++) {
                  CredentialStore.Created key = keys.prepare("a" + i, List.of("*"), List.of());
                  keys.insert(tr, "default", key, appender.order());
                }
                return to;
              });
    }
  }

  @Test
  void eachRestoreBeginsAnEraAboveThoseThatWereUsed() {
    try (TestCore core = start()) {
      backUp(core, 0);
    }
    Map<String, Integer> first = restore(Optional.empty()).eras();
    try (EmbeddedStore store = EmbeddedStore.open(restored(), EmbeddedOptions.DEFAULT)) {
      Restoration restoration = new Restoration(store, Clock.systemUTC());
      int used = first.get("default") + 7;
      assertThat(
              restoration.run(new StoredBackup(1, 0, 0, 0, 0), Map.of("default", used), 0).eras())
          .containsEntry("default", used + 1);
    }
  }

  private TestCore start() {
    return TestCore.start(directory.resolve("data"), TaskOptions.DEFAULT);
  }

  private Path backups() {
    return directory.resolve("backups");
  }

  private Path restored() {
    return directory.resolve("restored");
  }

  private void backUp(TestCore core, int keep) {
    create(core, backups(), keep);
  }

  private static void create(TestCore core, Path folder, int keep) {
    core.core().admit("operator-secret");
    Channel operator = core.as("operator-secret");
    assertThat(
            BackupServiceGrpc.newBlockingStub(operator)
                .createBackup(
                    CreateBackupRequest.newBuilder()
                        .setDirectory(folder.toString())
                        .setKeep(keep)
                        .build())
                .getBytes())
        .isPositive();
  }

  private Restoration.Report restore(Optional<Integer> number) {
    StoredBackup backup;
    try (BackupFolder folder = BackupFolder.existing(backups(), directory)) {
      backup = folder.restore(number, restored());
    }
    try (EmbeddedStore store = EmbeddedStore.open(restored(), EmbeddedOptions.DEFAULT)) {
      return new Restoration(store, Clock.systemUTC()).run(backup, Map.of(), 0);
    }
  }
}
