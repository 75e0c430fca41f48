package dev.bridle.core.operations.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.core.fault.QuietLog;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.kit.fault.AtStep;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.Operation;
import dev.bridle.storage.kit.fault.Recording;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Deletions that fail half way, and writes that reach the store after them. */
@ExtendWith(QuietLog.class)
final class TenantDeletionTest {
  private static final String TENANT = "acme";
  private static final String LATE = "late";
  private static final KeyRange ALL = new KeyRange(new byte[0], new byte[] {(byte) 0xFF});

  @TempDir static Path directory;
  private static KeyValueStore store;

  @BeforeAll
  static void open() {
    store = SuiteStore.openSteady(directory);
  }

  @AfterAll
  static void close() {
    store.close();
  }

  @BeforeEach
  void empty() {
    store.transact(
        tr -> {
          tr.clear(ALL);
          return true;
        });
  }

  @TestFactory
  Stream<DynamicTest> aDeletionIsAnsweredOnceItIsDoneWhicheverOfItsCommitsFails() {
    Recording recording = new Recording();
    deleteUnder(recording);
    return recording.operations().stream()
        .filter(step -> step.writes() && step.during().equals(LATE))
        .flatMap(TenantDeletionTest::faults)
        .map(
            plan ->
                DynamicTest.dynamicTest(
                    plan.toString(),
                    () -> {
                      empty();
                      deleteUnder(plan);
                    }));
  }

  private static Stream<AtStep> faults(Operation step) {
    return Stream.of(
            Fault.CONFLICT,
            Fault.UNKNOWN_BUT_APPLIED,
            Fault.UNKNOWN_AND_LOST,
            Fault.TIMED_OUT_BUT_APPLIED,
            Fault.TIMED_OUT_AND_LOST,
            Fault.TIMED_OUT_THEN_APPLIED,
            Fault.CRASH,
            Fault.CRASH_ONCE_APPLIED)
        .map(fault -> new AtStep(step, fault));
  }

  /** Deletes a tenant under a plan; a caller who hears of no success asks again. */
  private static void deleteUnder(FaultPlan plan) {
    FaultyStore faulty = new FaultyStore(store, plan);
    try (SteppedCore core = core(store)) {
      Channel acme = core.as(newTenant(core));
      submit(acme, session(acme));
    }
    boolean answered;
    try (SteppedCore core = core(faulty)) {
      faulty.during(LATE);
      answered = deletes(core);
    }
    faulty.settle();
    if (!answered) {
      boolean gone = rowsNaming(TENANT) == 1;
      try (SteppedCore again = core(store)) {
        assertThat(deletes(again)).as("deleted at the second attempt").isEqualTo(!gone);
      }
    }
    onlyTheEraIsLeft();
  }

  private static boolean deletes(SteppedCore core) {
    try {
      return delete(core);
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  @Test
  void aHeartbeatThatLandsAfterTheDeletionLeavesNothing() {
    landsLate(
        core -> {
          Channel acme = core.as(newTenant(core));
          submit(acme, session(acme));
          TestWorker worker = new TestWorker(acme, "", "w");
          worker.want(1);
          core.drain();
          TaskLease lease = worker.next(Duration.ZERO).orElseThrow();
          HeartbeatRequest beat =
              HeartbeatRequest.newBuilder()
                  .addLeases(
                      HeldLease.newBuilder()
                          .setTaskId(lease.getTask().getId())
                          .setFence(lease.getFence()))
                  .build();
          return () -> WorkerServiceGrpc.newBlockingStub(acme).heartbeat(beat);
        });
  }

  @Test
  void aRegistrationThatLandsAfterTheDeletionLeavesNothing() {
    landsLate(
        core -> {
          Channel acme = core.as(newTenant(core));
          return () -> register(acme);
        });
  }

  @Test
  void aRegistrationAgainThatLandsAfterTheDeletionLeavesNothing() {
    landsLate(
        core -> {
          Channel acme = core.as(newTenant(core));
          assertThat(register(acme)).isNotNull();
          return () -> register(acme);
        });
  }

  private static Object register(Channel channel) {
    return WorkerServiceGrpc.newBlockingStub(channel)
        .registerWorker(RegisterWorkerRequest.newBuilder().setAgentId("coder").build());
  }

  @Test
  void piecesOfAnUploadThatLandAfterTheDeletionLeaveNothing() {
    landsLate(
        core -> {
          Channel acme = core.as(newTenant(core));
          String artifact =
              ArtifactServiceGrpc.newBlockingStub(acme)
                  .registerArtifact(Uploading.described().setSessionId(session(acme)).build())
                  .getId();
          return () ->
              Uploading.upload(
                  acme,
                  artifact,
                  new byte[2 * BlobStore.CHUNKS_AT_ONCE * BlobStore.CHUNK_BYTES + 1]);
        },
        1);
  }

  @Test
  void aTenantThatIsMadeAgainWhileTheDeletionGoesOnElsewhereIsLeftAlone() {
    try (SteppedCore other = core(store)) {
      Channel before = other.as(newTenant(other));
      submit(before, session(before));
      AtomicBoolean made = new AtomicBoolean();
      String[] secret = new String[1];
      int[] commits = {0};
      FaultyStore slow =
          new FaultyStore(
              store,
              operation -> {
                // Marked by the first commit; the second one is about to go on.
                if (operation.during().equals(LATE)
                    && operation.writes()
                    && ++commits[0] == 2
                    && made.compareAndSet(false, true)) {
                  assertThat(delete(other)).isTrue();
                  secret[0] = newTenant(other);
                  submit(other.as(secret[0]), session(other.as(secret[0])));
                }
                return Fault.NONE;
              });
      try (SteppedCore core = core(slow)) {
        slow.during(LATE);
        assertThat(delete(core)).isTrue();
      }
      assertThat(made).isTrue();
      TestWorker worker = new TestWorker(other.as(secret[0]), "", "w");
      worker.want(1);
      other.drain();
      assertThat(worker.next(Duration.ZERO)).isPresent();
    }
  }

  @FunctionalInterface
  private interface Story {
    /** Makes what comes before, and returns the call that lands late. */
    Supplier<?> before(SteppedCore core);
  }

  private static void landsLate(Story story) {
    landsLate(story, 0);
  }

  /**
   * Has a commit of a call reach the store once the tenant has been deleted.
   *
   * @param commits how many commits of the call come before the late one
   */
  private static void landsLate(Story story, int commits) {
    AtomicBoolean done = new AtomicBoolean();
    int[] before = {commits};
    FaultyStore late =
        new FaultyStore(
            store,
            new FaultPlan() {
              @Override
              public Fault at(Operation operation) {
                boolean due =
                    operation.writes()
                        && operation.during().equals(LATE)
                        && before[0]-- <= 0
                        && done.compareAndSet(false, true);
                return due ? Fault.TIMED_OUT_THEN_APPLIED : Fault.NONE;
              }

              @Override
              public int lateBy(Operation operation) {
                return AT_THE_END;
              }
            });
    try (SteppedCore core = core(late)) {
      Supplier<?> call = story.before(core);
      late.during(LATE);
      assertThatThrownBy(call::get).isInstanceOf(StatusRuntimeException.class);
      assertThat(done).isTrue();
      late.during("");
      try (SteppedCore other = core(store)) {
        assertThat(delete(other)).isTrue();
      }
      late.settle();
    }
    onlyTheEraIsLeft();
  }

  private static void onlyTheEraIsLeft() {
    assertThat(rowsNaming(TENANT)).isEqualTo(1);
    StoredData.assertSound(store);
  }

  private static SteppedCore core(KeyValueStore over) {
    return new SteppedCore(over, Clock.systemUTC(), System::nanoTime, new Random(1));
  }

  private static String newTenant(SteppedCore core) {
    return AdminServiceGrpc.newBlockingStub(core.operator())
        .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(TENANT).build())
        .getSecret();
  }

  private static boolean delete(SteppedCore core) {
    return TenantServiceGrpc.newBlockingStub(core.operator())
        .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId(TENANT).build())
        .isInitialized();
  }

  private static String session(Channel channel) {
    return SessionServiceGrpc.newBlockingStub(channel)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  private static void submit(Channel channel, String session) {
    var unused =
        TaskServiceGrpc.newBlockingStub(channel).submitSessionTask(TestCore.submission(session));
  }

  /** Returns how many keys of the whole store name a tenant. */
  private static long rowsNaming(String tenant) {
    return store.read(tr -> tr.getRange(ALL, 10_000)).stream()
        .filter(row -> new String(row.key(), StandardCharsets.ISO_8859_1).contains(tenant))
        .count();
  }
}
