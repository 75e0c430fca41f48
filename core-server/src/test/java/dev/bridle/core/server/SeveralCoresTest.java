package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.core.kernel.command.EarlierRecords;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.event.v1.StreamEventsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.LeaseStatus;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes over one store, as on a cluster. */
final class SeveralCoresTest {
  private static final String TENANT = "default";
  private static final TaskStatus WORKING = TaskStatus.TASK_STATUS_WORKING;

  @TempDir Path directory;
  private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
  private final Clock clock =
      ((InstantSource) () -> Instant.now().plus(later.get())).withZone(ZoneOffset.UTC);
  private KeyValueStore store;
  private CoreOver one;
  private CoreOver two;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    one = CoreOver.start(store, clock);
    two = CoreOver.start(store, clock);
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    try {
      StoredData.assertSound(store);
    } finally {
      store.close();
    }
  }

  @Test
  void whatOneTellsAReaderAtTheOtherHearsOnceAndInOrder() {
    Ear ear = new Ear();
    EventServiceGrpc.newStub(two.of(TENANT))
        .streamEvents(StreamEventsRequest.getDefaultInstance(), ear);
    await().until(ear::isLive);
    String session = session(one);

    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      tasks.add(submit(i % 2 == 0 ? one : two, session));
    }

    await().untilAsserted(() -> assertThat(ear.of("task.submitted")).hasSize(tasks.size()));
    assertThat(ear.ids()).isSorted().doesNotHaveDuplicates();
    assertThat(ear.of("task.submitted"))
        .extracting(Event::getTaskId)
        .containsExactlyElementsOf(tasks.stream().map(Task::getId).toList());
  }

  @Test
  void workersOfBothTakeEachTaskOnce() {
    // Nobody sends heartbeats here, and a lease that ends is taken again.
    one.close();
    two.close();
    one = CoreOver.start(store, clock, TaskOptions.DEFAULT);
    two = CoreOver.start(store, clock, TaskOptions.DEFAULT);
    String session = session(one);
    TestWorker here = new TestWorker(one.of(TENANT), "", "here");
    TestWorker there = new TestWorker(two.of(TENANT), "", "there");
    Set<String> submitted = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      submitted.add(submit(i % 2 == 0 ? one : two, session).getId());
    }
    here.want(20);
    there.want(20);

    List<String> taken = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      taken.add(here.lease().getTask().getId());
      taken.add(there.lease().getTask().getId());
    }

    assertThat(taken).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(submitted);
  }

  @Test
  void aLeaseIsCompletedThroughTheOtherProcessOnceItsOwnIsGone() {
    Task task = submit(one, session(one));
    TestWorker worker = new TestWorker(one.of(TENANT), "", "w");
    worker.want(1);
    TaskLease lease = worker.lease();
    one.close();

    Task completed = complete(two, lease);

    assertThat(completed.getId()).isEqualTo(task.getId());
    assertThat(completed.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
  }

  @Test
  void aLeaseThatBothSeeGoQuietIsLostOnce() {
    Task task = submit(one, session(one));
    TestWorker quiet = new TestWorker(one.of(TENANT), "", "quiet");
    quiet.want(1);
    assertThat(quiet.lease().getAttempt()).isEqualTo(1);
    quiet.close();

    TestWorker next = new TestWorker(two.of(TENANT), "", "next");
    next.want(1);
    TaskLease second = next.lease();

    assertThat(second.getAttempt()).isEqualTo(2);
    assertThat(complete(two, second).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(kinds(task))
        .containsOnlyOnce("vendor.bridle.attempt_ended", "vendor.bridle.attempt_started");
  }

  @Test
  void aPermissionThatBothSeeExpireExpiresOnceAndAnAnswerOfTheOtherProcessCounts() {
    String session = session(one);
    TestWorker worker = new TestWorker(one.of(TENANT), "", "w");
    Task late = submit(one, session);
    worker.want(1);
    String expired = permission(worker.lease(), Duration.ofMillis(50));
    await().atMost(Duration.ofSeconds(60)).until(() -> status(two, late) == WORKING);
    assertThat(kinds(late)).containsOnlyOnce("vendor.bridle.permission_expired");
    worker.want(1);
    assertThat(worker.lease().getTask().getId()).isEqualTo(late.getId());

    Task answered = submit(one, session);
    worker.want(1);
    String asked = permission(worker.lease(), Duration.ofHours(1));
    assertThat(asked).isNotEqualTo(expired);
    var people = PermissionServiceGrpc.newBlockingStub(two.approver(TENANT));
    assertThat(
            people
                .respondPermissionRequest(
                    RespondPermissionRequestRequest.newBuilder()
                        .setRequestId(asked)
                        .setApproved(true)
                        .build())
                .getTaskId())
        .isEqualTo(answered.getId());
    assertThat(status(one, answered)).isEqualTo(WORKING);
  }

  private String permission(TaskLease lease, Duration timeout) {
    return WorkerServiceGrpc.newBlockingStub(one.of(TENANT))
        .requestPermission(
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
                        .setContent(ByteString.copyFromUtf8("{\"command\":\"ls\"}")))
                .build())
        .getRequestId();
  }

  @Test
  void aProcessThatStartsLeavesTheLeasesOfTheOthersAlone() {
    String session = session(one);
    Task task = submit(one, session);
    TestWorker worker = new TestWorker(one.of(TENANT), "", "w");
    worker.want(1);
    TaskLease lease = worker.lease();

    try (CoreOver three = CoreOver.start(store, Clock.systemUTC())) {
      assertThat(status(three, task)).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    }

    assertThat(complete(one, lease).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(kinds(task)).doesNotContain("vendor.bridle.attempt_ended");
  }

  @Test
  void aCancellationAtOneReachesTheWorkerOfTheOther() {
    Task task = submit(one, session(one));
    TestWorker worker = new TestWorker(two.of(TENANT), "", "w");
    worker.want(1);
    TaskLease lease = worker.lease();

    assertThat(
            TaskServiceGrpc.newBlockingStub(one.of(TENANT))
                .cancelTask(CancelTaskRequest.newBuilder().setTaskId(task.getId()).build())
                .getId())
        .isEqualTo(task.getId());

    await()
        .untilAsserted(
            () -> assertThat(beat(two, lease)).anyMatch(LeaseStatus::getCancelRequested));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> status(two, task) == TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void whatBothSweepAwayIsGoneOnceAndWhole() {
    String session = session(one);
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Channel caller = (i % 2 == 0 ? one : two).withKey(TENANT, "key-" + i);
      tasks.add(
          TaskServiceGrpc.newBlockingStub(caller).submitSessionTask(TestCore.submission(session)));
    }
    Uploading unended = Uploading.begin(one.of(TENANT));
    String artifact =
        Uploading.registered(
                two.of(TENANT),
                Uploading.described().setWorkspaceId("default").setSessionId(session))
            .getId();
    unended.send(artifact, Uploading.noise(3 << 20), 1 << 20);
    await().until(() -> rows(TenantSpace.BLOB) > 0);
    assertThat(EarlierRecords.restoreAll(store, TENANT)).isEqualTo(tasks.size());

    later.set(Duration.ofDays(2));

    await().until(() -> rows(TenantSpace.IDEMPOTENCY) == 0 && rows(TenantSpace.BLOB) == 0);
    unended.breakOff();
    assertThat(tasks).allMatch(task -> status(two, task) == task.getStatus());
  }

  private int rows(TenantSpace space) {
    KeyRange all = new Rows(KeyLayout.root()).below(TENANT, space);
    return store.read(tr -> tr.getRange(all, 1000)).size();
  }

  @Test
  void aKeyRevokedAtOneIsRefusedAtTheOther() {
    var key =
        AdminServiceGrpc.newBlockingStub(one.operator())
            .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(TENANT).build());
    Channel owner = two.as(key.getSecret());
    assertThat(session(owner)).isNotEmpty();

    assertThat(
            AdminServiceGrpc.newBlockingStub(one.operator())
                .revokeApiKey(
                    RevokeApiKeyRequest.newBuilder().setKeyId(key.getKey().getId()).build())
                .getKey()
                .hasRevokedAt())
        .isTrue();

    Assertions.assertThatThrownBy(() -> session(owner))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("UNAUTHENTICATED");
  }

  private static String session(CoreOver where) {
    return session(where.of(TENANT));
  }

  private static String session(Channel caller) {
    return SessionServiceGrpc.newBlockingStub(caller)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  private static Task submit(CoreOver where, String session) {
    return TaskServiceGrpc.newBlockingStub(where.of(TENANT))
        .submitSessionTask(TestCore.submission(session));
  }

  private static TaskStatus status(CoreOver where, Task task) {
    return TaskServiceGrpc.newBlockingStub(where.of(TENANT))
        .getTask(GetTaskRequest.newBuilder().setTaskId(task.getId()).build())
        .getStatus();
  }

  private static Task complete(CoreOver where, TaskLease lease) {
    return WorkerServiceGrpc.newBlockingStub(where.of(TENANT))
        .completeTask(
            CompleteTaskRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .build())
        .getTask();
  }

  private static List<LeaseStatus> beat(CoreOver where, TaskLease lease) {
    return WorkerServiceGrpc.newBlockingStub(where.of(TENANT))
        .heartbeat(
            HeartbeatRequest.newBuilder()
                .addLeases(
                    HeldLease.newBuilder()
                        .setTaskId(lease.getTask().getId())
                        .setFence(lease.getFence()))
                .build())
        .getStatusesList();
  }

  private List<String> kinds(Task task) {
    return EventServiceGrpc.newBlockingStub(two.of(TENANT))
        .listTaskEvents(ListTaskEventsRequest.newBuilder().setTaskId(task.getId()).build())
        .getDataList()
        .stream()
        .map(Event::getEvent)
        .toList();
  }

  /** A reader of a live stream. */
  private static final class Ear implements StreamObserver<EventFrame> {
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private volatile Optional<Throwable> failure = Optional.empty();
    private volatile boolean live;

    boolean isLive() {
      assertThat(failure).isEmpty();
      return live;
    }

    List<Event> of(String kind) {
      return events.stream().filter(event -> event.getEvent().equals(kind)).toList();
    }

    List<String> ids() {
      return events.stream().map(Event::getId).toList();
    }

    @Override
    public void onNext(EventFrame frame) {
      live |= frame.hasHistoryEnd();
      if (frame.hasEvent()) {
        events.add(frame.getEvent());
      }
    }

    @Override
    public void onError(Throwable thrown) {
      failure = Optional.of(thrown);
    }

    @Override
    public void onCompleted() {}
  }
}
