package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportPass;
import dev.bridle.admin.v1.ImportPurpose;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamEventsRequest;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.quota.v1.GetQuotaRequest;
import dev.bridle.quota.v1.Quota;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.UpdateSessionRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.ImportStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.vault.v1.ListVaultSecretsRequest;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.vault.v1.VaultServiceGrpc;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PortabilityTest {
  @TempDir Path directory;
  private TestCore source;
  private TestCore target;
  private World world;

  @BeforeEach
  void start() {
    source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
    target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
    world = World.in(source);
  }

  @AfterEach
  void stop() {
    source.close();
    target.close();
  }

  @Test
  void aTenantReadsTheSameInAnEmptyServer() {
    Map<String, Object> before = Reads.of(source);

    ImportSummary done = Transfer.load(target, Transfer.tenant(source));

    assertThat(Reads.of(target)).isEqualTo(before);
    assertThat(before).hasSizeGreaterThan(60);
    assertThat(done.getLiveTasks()).isEqualTo(4);
    assertThat(done.getEra()).isGreaterThan(1);
  }

  @Test
  void aTenantReadsTheSameUnderAnotherNameBesideWhatIsThere() {
    World other = World.in(target);
    Map<String, Object> there = Reads.of(target);
    String key = Keys.make(Transfer.operator(target), "acme");

    Transfer.load(target, Transfer.tenant(source), Transfer.into("acme"));

    Map<String, Object> copy = Reads.of(target.as(key));
    Map<String, Object> original = Reads.of(source);
    for (String naming : List.of("workspaces", "memories")) {
      assertThat((List<?>) copy.remove(naming))
          .as("what names its tenant")
          .hasSameSizeAs((List<?>) original.remove(naming));
    }
    assertThat(copy).isEqualTo(original);
    assertThat(Reads.of(target)).isEqualTo(there);
    assertThat(target.task(other.waiting.getId())).isNotNull();
  }

  @Test
  void aSessionComesAloneIntoAUsedServer() {
    World.in(target);
    byte[] file =
        Transfer.export(source, ExportRequest.newBuilder().setSessionId(world.session).build());

    Transfer.load(target, file);

    Map<String, Object> copy = Reads.of(target);
    Map<String, Object> original = Reads.of(source);
    Set<String> ofSession = new TreeSet<>();
    for (String key : original.keySet()) {
      if (key.startsWith(world.session) || key.startsWith("task_")) {
        ofSession.add(key);
      }
    }
    assertThat(ofSession).hasSizeGreaterThan(15);
    for (String key : ofSession) {
      assertThat(copy.get(key)).as(key).isEqualTo(original.get(key));
    }
    for (String shared : List.of("personas", "skills", "quotas", "vaults")) {
      assertThat(List.<Object>copyOf((List<?>) copy.get(shared)))
          .as("what the session names comes with it")
          .hasSize(2)
          .containsAll(
              ((List<?>) original.get(shared))
                  .stream().map(PortabilityTest::withoutLastReceipt).toList());
    }
  }

  /** The newest receipt of a quota may be another session's, which does not come along. */
  private static Object withoutLastReceipt(Object resource) {
    return resource instanceof Quota quota
        ? quota.toBuilder().clearLastReceiptId().build()
        : resource;
  }

  @Test
  void vaultsComeWithoutTheirSecrets() {
    byte[] file = Transfer.tenant(source);

    Transfer.load(target, file);

    assertThat(new String(file, StandardCharsets.ISO_8859_1)).doesNotContain(World.SECRET);
    assertThat(secrets(source)).hasSize(1);
    assertThat(secrets(target)).isEmpty();
    SampleVaults.put(target.owner(), world.vault, "token", "of the target");
    Transfer.load(
        target,
        Transfer.export(source, ExportRequest.newBuilder().setSessionId(world.session).build()));
    assertThat(secrets(target)).as("left alone by another import").hasSize(1);
  }

  private List<VaultSecret> secrets(TestCore of) {
    return VaultServiceGrpc.newBlockingStub(of.owner())
        .listVaultSecrets(ListVaultSecretsRequest.newBuilder().setVaultId(world.vault).build())
        .getDataList();
  }

  @Test
  void aTaskComesAloneWithTheSessionThatItRefersTo() {
    String id = world.completed.getId();
    byte[] file = Transfer.export(source, ExportRequest.newBuilder().setTaskId(id).build());

    Transfer.load(target, file);

    assertThat(target.task(id)).isEqualTo(source.task(id));
    assertThat(target.allEventsOf(id)).isEqualTo(source.allEventsOf(id));
    Map<String, Object> copy = Reads.of(target);
    Map<String, Object> original = Reads.of(source);
    assertThat(copy.get(id + " outcomes")).isEqualTo(original.get(id + " outcomes"));
    assertThat(copy.get(world.session)).isNotNull();
    assertThat((List<?>) copy.get(world.session + " tasks")).hasSize(1);
  }

  @Test
  void aWorkspaceThatIsUsedHereRefusesAnotherOfItsNameUnlessItIsKept() {
    World.in(target);
    byte[] file = Transfer.tenant(source);
    Map<String, Object> there = Reads.of(target);

    assertThatThrownBy(() -> Transfer.load(target, file))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("Nothing was imported")
        .hasMessageContaining("workspace default is another one here")
        .hasMessageContaining("--keep-workspaces");
    assertThat(Reads.of(target)).isEqualTo(there);
    Transfer.load(target, file, Transfer.into("default").setKeepWorkspaces(true));

    Map<String, Object> now = Reads.of(target);
    assertThat(now.get("workspaces")).isEqualTo(there.get("workspaces"));
    assertThat(Reads.events(target.owner()).stream().map(Event::getEvent))
        .containsOnlyOnce("vendor.bridle.workspace_created")
        .containsOnlyOnce("vendor.bridle.imported");
    Set<String> lists =
        Set.of(
            "workspaces",
            "personas",
            "skills",
            "quotas",
            "memories",
            "vaults",
            "sessions",
            "artifacts",
            "outcomes",
            "permission requests",
            "events");
    there.keySet().removeAll(lists);
    assertThat(now).containsAllEntriesOf(there);
    Map<String, Object> original = Reads.of(source);
    List<String> ofWorkspace = ofWorkspace(source);
    assertThat(ofWorkspace).hasSize(5);
    original.keySet().removeAll(lists);
    ofWorkspace.forEach(event -> assertThat(original.remove(event)).isNotNull());
    assertThat(now)
        .containsAllEntriesOf(original)
        .doesNotContainKeys(ofWorkspace.toArray(String[]::new));
  }

  /** The events of the workspace itself: that it was made, and its files written. */
  private static List<String> ofWorkspace(TestCore core) {
    return Reads.events(core.owner()).stream()
        .filter(event -> event.getEvent().startsWith("vendor.bridle.workspace_"))
        .map(Event::getId)
        .toList();
  }

  @Test
  void whatIsToldAfterwardsSortsAfterAllThatWasImported() {
    Transfer.load(target, Transfer.tenant(source));
    String lastImported =
        Reads.events(source.owner()).stream().map(Event::getId).max(String::compareTo).get();

    Task next = target.submit(world.session);

    assertThat(target.eventsOf(next.getId()))
        .allSatisfy(event -> assertThat(event.getId()).isGreaterThan(lastImported));
    List<Event> told = Reads.events(target.owner());
    assertThat(told).isSortedAccordingTo((a, b) -> a.getId().compareTo(b.getId()));
    assertThat(told.stream().map(Event::getEvent)).containsOnlyOnce("vendor.bridle.imported");
  }

  @Test
  void anImportThatWasMadeIsNotMadeAgain() {
    byte[] file = Transfer.tenant(source);
    Transfer.load(target, file);
    SessionServiceGrpc.newBlockingStub(target.owner())
        .updateSession(
            UpdateSessionRequest.newBuilder()
                .setSessionId(world.session)
                .setMetadata(ByteString.copyFromUtf8("{\"a\":1}"))
                .build());
    Map<String, Object> before = Reads.of(target);

    ImportSummary again = Transfer.load(target, file);

    assertThat(again.getAlreadyLoaded()).isTrue();
    assertThat(Reads.of(target)).isEqualTo(before);
  }

  @Test
  void theSameIdWithOtherBytesRefusesAllBeforeTheFirstWrite() {
    byte[] first = Transfer.tenant(source);
    Transfer.load(target, first);
    source.submit(world.session);
    SessionServiceGrpc.newBlockingStub(source.owner())
        .updateSession(
            UpdateSessionRequest.newBuilder()
                .setSessionId(world.session)
                .setMetadata(ByteString.copyFromUtf8("{\"a\":1}"))
                .build());
    Map<String, Object> before = Reads.of(target);

    assertThatThrownBy(() -> Transfer.load(target, Transfer.tenant(source)))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("Nothing was imported")
        .hasMessageContaining(world.session);

    assertThat(Reads.of(target)).isEqualTo(before);
  }

  @Test
  void anImportThatBrokeOffGoesOnWhereItWas() {
    byte[] file = Transfer.tenant(source);
    Transfer.loadAndBreakOff(target, file, Transfer.into("default"), file.length - 200_000);

    List<ImportPass> passes = Transfer.passesOf(target, file, Transfer.into("default"));

    assertThat(passes.get(1).getPurpose()).isEqualTo(ImportPurpose.IMPORT_PURPOSE_LOAD);
    assertThat(passes.get(1).getOffset()).isGreaterThan(100_000);
    assertThat(Reads.of(target)).isEqualTo(Reads.of(source));
  }

  @Test
  void liveTasksAreParkedUntilSomebodyTakesThemOver() {
    byte[] file = Transfer.tenant(source);
    Transfer.load(target, file);
    TestWorker worker = new TestWorker(target.owner(), "", "w9");
    worker.want(5);
    target
        .tasks()
        .appendTaskMessage(
            AppendTaskMessageRequest.newBuilder()
                .setTaskId(world.asking.getId())
                .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
                .setMessage(World.text("this one"))
                .build());
    Task own = target.submit(target.newSession());
    assertThat(worker.lease().getTask().getId()).isEqualTo(own.getId());
    assertThat(worker.next(Duration.ofMillis(300))).isEmpty();

    ImportSummary taken = Transfer.load(target, file, Transfer.into("default").setTakeOver(true));

    assertThat(taken.getTakenOver()).isEqualTo(4);
    assertThat(
            QuotaServiceGrpc.newBlockingStub(target.owner())
                .getQuota(GetQuotaRequest.newBuilder().setQuotaId(world.shared.quota()).build())
                .getUsageMap())
        .as("tasks that were taken over count here, those that had ended do not")
        .containsEntry("tasks", 4.0);
    approvePermission();
    List<TaskLease> leases =
        List.of(worker.lease(), worker.lease(), worker.lease(), worker.lease());
    assertThat(leases.stream().map(lease -> lease.getTask().getId()))
        .containsExactlyInAnyOrder(
            world.asking.getId(),
            world.permitted.getId(),
            world.running.getId(),
            world.waiting.getId());
    assertThat(leases)
        .filteredOn(lease -> lease.getTask().getId().equals(world.running.getId()))
        .singleElement()
        .satisfies(
            lease -> {
              assertThat(lease.getRerun()).isTrue();
              assertThat(lease.getFence()).isGreaterThan(1);
            });
    assertThat(target.kindsOf(world.running.getId()))
        .contains("vendor.bridle.attempt_ended")
        .contains("vendor.bridle.attempt_started");
    assertThat(
            Transfer.load(target, file, Transfer.into("default").setTakeOver(true)).getTakenOver())
        .isZero();
  }

  private void approvePermission() {
    var people = PermissionServiceGrpc.newBlockingStub(target.owner());
    var pending =
        people
            .listTaskPermissionRequests(
                ListTaskPermissionRequestsRequest.newBuilder()
                    .setTaskId(world.permitted.getId())
                    .build())
            .getData(0);
    var unused =
        people.respondPermissionRequest(
            RespondPermissionRequestRequest.newBuilder()
                .setRequestId(pending.getId())
                .setApproved(true)
                .build());
  }

  @Test
  void liveStreamsGetOneEventThatSaysSoAndNoHistory() throws InterruptedException {
    EventLog log = EventLog.open(source.store(), KeyLayout.root());
    source
        .store()
        .transact(
            tr -> {
              log.raiseEra(tr, "default", 50_000);
              return true;
            });
    source.submit(world.session); // Its events sort after all that the target has told.
    BlockingQueue<EventFrame> frames = new LinkedBlockingQueue<>();
    EventServiceGrpc.newStub(target.owner())
        .streamEvents(StreamEventsRequest.getDefaultInstance(), new Frames(frames));
    EventFrame frame = frames.poll(10, TimeUnit.SECONDS);
    while (!frame.hasHistoryEnd()) {
      frame = frames.poll(10, TimeUnit.SECONDS);
    }

    Transfer.load(target, Transfer.tenant(source));
    String session = target.newSession();

    assertThat(frames.poll(10, TimeUnit.SECONDS).getEvent().getEvent())
        .isEqualTo("vendor.bridle.imported");
    assertThat(frames.poll(10, TimeUnit.SECONDS).getEvent().getSessionId()).isEqualTo(session);
  }

  /** Keeps what a stream brings. */
  private record Frames(BlockingQueue<EventFrame> frames) implements StreamObserver<EventFrame> {
    @Override
    public void onNext(EventFrame frame) {
      frames.add(frame);
    }

    @Override
    public void onError(Throwable ended) {}

    @Override
    public void onCompleted() {}
  }

  @Test
  void aDamagedFileIsRefusedByTheServerBeforeAnythingIsWritten() {
    byte[] file = Transfer.tenant(source);
    Map<String, Object> before = Reads.of(target);
    for (int at : new int[] {20, file.length / 3, file.length / 2, file.length - 20}) {
      byte[] damaged = file.clone();
      damaged[at] ^= 4;
      assertThatThrownBy(() -> Transfer.load(target, damaged))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("can't be imported");
    }
    assertThat(Reads.of(target)).isEqualTo(before);
  }

  @Test
  void aTaskThatIsImportedIntoItsOwnServerIsThereAlready() {
    String id = world.completed.getId();
    byte[] file = Transfer.export(source, ExportRequest.newBuilder().setTaskId(id).build());
    Map<String, Object> before = Reads.of(source);

    Transfer.load(source, file);

    Map<String, Object> after = Reads.of(source);
    assertThat(after.get(id)).isEqualTo(before.get(id));
    assertThat(source.kindsOf(id)).doesNotContain("vendor.bridle.imported");
  }

  @Test
  void whatWasImportedCanBeExportedAgain() {
    Transfer.load(target, Transfer.tenant(source));
    TestCore third = TestCore.start(directory.resolve("third"), TaskOptions.DEFAULT);
    try {
      Transfer.load(third, Transfer.tenant(target));

      assertThat(Reads.of(third)).isEqualTo(Reads.of(source));
    } finally {
      third.close();
    }
  }

  @Test
  void aParkedTaskCanBeCanceled() {
    Transfer.load(target, Transfer.tenant(source));

    target
        .tasks()
        .cancelTask(CancelTaskRequest.newBuilder().setTaskId(world.running.getId()).build());

    assertThat(target.task(world.running.getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void anExportGoesOnOnlyWhereItWasBegun() {
    byte[] file = Transfer.tenant(source);
    ExportRequest.Builder resume =
        ExportRequest.newBuilder()
            .setResumeAfter("TENANT:")
            .setResumeInstallationId(Transfer.read(file).header().installation());

    assertThat(Transfer.exported(source, resume.build(), new byte[0])).isNotEmpty();
    assertThatThrownBy(() -> Transfer.exported(target, resume.build(), new byte[0]))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("was begun on the installation")
        .hasMessageContaining(Transfer.read(file).header().installation());
  }

  @Test
  void aTenantThatIsBeingDeletedIsNotExported() {
    Keys.make(Transfer.operator(source), "acme");
    source
        .store()
        .transact(
            tr -> {
              new Installation(KeyLayout.root())
                  .putTenant(
                      tr, "acme", TenantRecord.newBuilder().setDeletingAt(1).build().toByteArray());
              return true;
            });

    assertThatThrownBy(
            () -> Transfer.export(source, ExportRequest.newBuilder().setTenantId("acme").build()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("There is no such tenant");
  }

  @Test
  void anImportNotesWhenItBeganByTheClockOfItsCore() throws InvalidProtocolBufferException {
    Instant then = Instant.parse("2031-02-03T04:05:06Z");
    try (KeyValueStore store = SuiteStore.open(directory.resolve("third"));
        CoreOver third = CoreOver.start(store, Clock.fixed(then, ZoneOffset.UTC))) {
      Transfer.load(third.operator(), Transfer.tenant(source), Transfer.into("default"));

      List<byte[]> imports =
          store.read(tr -> new ImportStore(KeyLayout.root()).all(tr, "default", 2));
      assertThat(ImportRecord.parseFrom(imports.get(0)).getStartedAt())
          .isEqualTo(then.toEpochMilli());
    }
  }

  @Test
  void anExportThatBrokeOffGoesOnAfterItsLastWholeUnit() {
    byte[] all = Transfer.exported(source, ExportRequest.getDefaultInstance(), new byte[0]);
    for (int cut : new int[] {all.length - 1, all.length / 2, all.length - 300_000}) {
      byte[] part = Arrays.copyOf(all, Math.max(cut, 1000));
      var read = new FileCheck(block -> {});
      read.take(part, 0, part.length);
      byte[] whole = Arrays.copyOf(part, (int) read.wholeTo());
      byte[] resumed =
          Transfer.exported(
              source,
              ExportRequest.newBuilder()
                  .setResumeAfter(read.lastUnit().orElseThrow().cursor())
                  .build(),
              whole);
      assertThat(resumed).isEqualTo(all);
    }
  }
}
