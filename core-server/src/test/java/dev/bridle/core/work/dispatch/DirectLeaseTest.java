package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.embedded.StoreImage;
import dev.bridle.storage.kit.count.CountingStore;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.StatusRuntimeException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases that are granted with the submission, on one thread. */
final class DirectLeaseTest {
  private final InMemoryStore beneath = InMemoryStore.openOnOneThread(StoreImage.EMPTY);
  private final BeforeCommit interrupted = new BeforeCommit(beneath);
  private final CountingStore store = new CountingStore(interrupted);
  private final SteppedCore core =
      new SteppedCore(store, Clock.systemUTC(), System::nanoTime, new Random(1));
  private final TestWorker worker = new TestWorker(core.owner(), "", "w1");
  private final TaskServiceGrpc.TaskServiceBlockingStub tasks =
      TaskServiceGrpc.newBlockingStub(core.owner());
  private String session = "";

  @BeforeEach
  void makeSession() {
    session =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
            .getId();
  }

  @AfterEach
  void close() {
    worker.close();
    core.close();
    beneath.close();
  }

  @Test
  void aWaitingWorkerGetsATaskInTheTransactionThatSubmitsIt() {
    want(1);
    long before = store.cost().transactions();

    Task task = submit();

    assertThat(store.cost().transactions() - before).isEqualTo(1);
    assertThat(task.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
    TaskLease lease = next().orElseThrow();
    assertThat(lease.getTask().getId()).isEqualTo(task.getId());
    assertThat(lease.getTask().getInput().getJson())
        .isEqualTo(ByteString.copyFromUtf8("{\"n\":1}"));
    assertThat(stored(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
  }

  @Test
  void aWorkerGetsNoMoreTasksThanItWants() {
    want(1);

    Task first = submit();
    Task second = submit();
    core.drain();

    assertThat(next().map(lease -> lease.getTask().getId())).contains(first.getId());
    assertThat(next()).isEmpty();
    assertThat(stored(second).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
    want(1);
    assertThat(next().map(lease -> lease.getTask().getId())).contains(second.getId());
  }

  @Test
  void aTaskIsQueuedWhileOthersMayBeQueuedBeforeIt() {
    var unused = submit();
    worker.want(1);

    Task task = submit();

    assertThat(next()).isEmpty();
    assertThat(stored(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
    core.drain();
    assertThat(next()).isPresent();
  }

  @Test
  void aWorkerGoesOnWaitingAfterARefusedSubmission() {
    want(1);
    SubmitTaskRequest refused =
        TestCore.submission(session).toBuilder().setParentTaskId("task_none").build();
    assertThatThrownBy(() -> tasks.submitSessionTask(refused))
        .isInstanceOf(StatusRuntimeException.class);

    Task task = submit();

    assertThat(next().map(lease -> lease.getTask().getId())).contains(task.getId());
  }

  @Test
  void aRepeatedSubmissionGivesTheTaskToAWorkerOnce() {
    want(2);
    TaskServiceGrpc.TaskServiceBlockingStub keyed =
        TaskServiceGrpc.newBlockingStub(core.withKey("key-1"));

    Task task = keyed.submitSessionTask(TestCore.submission(session));
    Task again = keyed.submitSessionTask(TestCore.submission(session));
    core.drain();

    assertThat(again).isEqualTo(task);
    assertThat(next()).isPresent();
    assertThat(next()).isEmpty();
  }

  @Test
  void aSubmissionThatLosesToItsOwnRepetitionGivesNoWorkerATaskThatIsNotThere() {
    want(2);
    TaskServiceGrpc.TaskServiceBlockingStub keyed =
        TaskServiceGrpc.newBlockingStub(core.withKey("key-1"));
    List<Task> faster = new ArrayList<>();
    interrupted.once(() -> faster.add(keyed.submitSessionTask(TestCore.submission(session))));

    Task slower = keyed.submitSessionTask(TestCore.submission(session));
    core.drain();

    assertThat(faster).containsExactly(slower);
    assertThat(next().map(lease -> lease.getTask().getId())).contains(slower.getId());
    assertThat(next()).isEmpty();
    Task another = submit();
    assertThat(next().map(lease -> lease.getTask().getId()))
        .as("the place that was reserved")
        .contains(another.getId());
  }

  @Test
  void theWorkerCausesTheStartOfATaskThatAnotherSubmitted() {
    want(1);
    Task task =
        TaskServiceGrpc.newBlockingStub(core.withKey("key-1"))
            .submitSessionTask(TestCore.submission(session));

    List<Event> events =
        EventServiceGrpc.newBlockingStub(core.owner())
            .listTaskEvents(ListTaskEventsRequest.newBuilder().setTaskId(task.getId()).build())
            .getDataList();

    assertThat(events)
        .extracting(Event::getEvent, Event::getIdempotencyKey)
        .containsExactly(tuple("task.submitted", "key-1"), tuple("task.started", ""));
  }

  @Test
  void aTaskWhoseWorkerHasGoneIsQueued() {
    TestWorker gone = new TestWorker(core.owner(), "", "w0");
    gone.want(1);
    core.drain();
    gone.close();

    Task task = submit();
    core.drain();

    assertThat(stored(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
    want(1);
    assertThat(next().map(lease -> lease.getTask().getId())).contains(task.getId());
  }

  private void want(int count) {
    worker.want(count);
    core.drain();
  }

  private Task submit() {
    return tasks.submitSessionTask(TestCore.submission(session));
  }

  private Optional<TaskLease> next() {
    return worker.next(Duration.ZERO);
  }

  private Task stored(Task task) {
    return tasks.getTask(GetTaskRequest.newBuilder().setTaskId(task.getId()).build());
  }
}
