package dev.bridle.core.work.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.event.v1.Event;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.HandlerDeterminism;
import dev.bridle.worker.v1.HandlerInfo;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tasks whose handler runs again in a replay; the handler and its worker are played by the test.
 */
abstract class ExecutedTasks extends LeasedTasks {
  private static final HandlerInfo RECORDED =
      HandlerInfo.newBuilder()
          .setName("writer")
          .setDeterminism(HandlerDeterminism.HANDLER_DETERMINISM_RECORDED)
          .build();

  protected TestWorker writer;
  protected TestWorker replays;

  @BeforeEach
  final void workers() {
    worker.close();
    writer = new TestWorker(core.owner(), hello());
    replays = new TestWorker(core.owner(), hello().setReplays(true));
  }

  @AfterEach
  final void close() {
    writer.close();
    replays.close();
  }

  protected static LeaseHello.Builder hello() {
    return LeaseHello.newBuilder().setWorkerId("w2").setHandler(RECORDED);
  }

  /** Lets tasks be in a session that has these vaults. */
  protected final void useVaults(List<String> vaults) {
    session = SampleVaults.session(core.owner(), vaults.toArray(String[]::new));
  }

  protected final Task task() {
    return core.submit(session);
  }

  protected final TaskLease leased() {
    var unused = task();
    return lease(writer);
  }

  protected static TaskLease lease(TestWorker of) {
    of.want(1);
    return of.lease();
  }

  protected final TaskLease lease(TestWorker of, Task task) {
    TaskLease lease = lease(of);
    assertThat(lease.getTask().getId()).isEqualTo(task.getId());
    return lease;
  }

  /** Runs a task with a value, a note and a message. */
  protected final Task completed() {
    Task task = task();
    TaskLease lease = lease(writer);
    step(lease, dependency(lease, "llm:1").toBuilder());
    step(lease, WorkerRequests.step(lease, "note").setEvent(note("note", "1").getEvent()));
    step(lease, WorkerRequests.step(lease, "said").setMessage(said("said", "hello").getMessage()));
    complete(lease, "done");
    return core.task(task.getId());
  }

  protected final void step(
      TaskLease lease, dev.bridle.worker.v1.ReportStepRequest.Builder report) {
    var unused = core.workers().reportStep(report.setFence(lease.getFence()).build());
  }

  protected static StepReport note(String key, String text) {
    return WorkerRequests.note(key, "{\"text\":\"" + text + "\"}");
  }

  protected static StepReport said(String key, String text) {
    return WorkerRequests.message(key, text);
  }

  protected final Task replay(Task source) {
    return ReplayServiceGrpc.newBlockingStub(core.owner())
        .replayTask(
            ReplayTaskRequest.newBuilder()
                .setTaskId(source.getId())
                .setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE)
                .build());
  }

  protected final ListStepsResponse list(TaskLease lease) {
    return core.workers()
        .listSteps(
            ListStepsRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .build());
  }

  protected final List<Integer> compared(TaskLease lease, StepReport... reports) {
    return core.workers()
        .compareSteps(
            CompareStepsRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .addAllReports(List.of(reports))
                .build())
        .getDifferentList();
  }

  protected interface End {
    void of(TaskLease lease);
  }

  /** Ends a replay in a way that differs, and returns what it says differs. */
  protected final String broken(Task source, End end) {
    Task replay = replay(source);
    end.of(lease(replays, replay));
    Task ended = core.task(replay.getId());
    assertThat(ended.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(ended.getFailure().getCode()).isEqualTo("replay_diverged");
    assertThat(payloads(ended, "replay.failed")).hasSize(1);
    return ended.getFailure().getMessage();
  }

  protected final Task failed(TaskLease lease, String code, String message) {
    return core.workers()
        .failTask(
            FailTaskRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setFailure(Failure.newBuilder().setCode(code).setMessage(message))
                .build())
        .getTask();
  }

  protected final RequestPermissionResponse ask(TaskLease lease, String key, String command) {
    return core.workers()
        .requestPermission(
            WorkerRequests.permission(lease, key)
                .setAction(
                    AskedAction.newBuilder()
                        .setKind("command")
                        .setContent(ByteString.copyFromUtf8("{\"command\":\"" + command + "\"}")))
                .build());
  }

  protected final String use(TaskLease lease) {
    return core.workers()
        .useSecret(
            UseSecretRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setName("token")
                .build())
        .getValue();
  }

  /** Ends the log's replay as the server's own worker does that finds no difference. */
  protected final Task ended(Task replay) {
    var channel =
        core.as(
            core.core().processCredential("default", OwnAgents.REPLAY, Set.of("workers:lease")));
    try (TestWorker own = new TestWorker(channel, OwnAgents.REPLAY, "replayer")) {
      var unused =
          dev.bridle.worker.v1.WorkerServiceGrpc.newBlockingStub(channel)
              .completeTask(
                  WorkerRequests.complete(lease(own, replay)).setSummary("replayed").build());
    }
    return core.task(replay.getId());
  }

  protected final List<String> kinds(Task task) {
    return core.eventsOf(task.getId()).stream().map(Event::getEvent).toList();
  }

  protected final List<String> payloads(Task task, String kind) {
    return core.eventsOf(task.getId()).stream()
        .filter(event -> event.getEvent().equals(kind))
        .map(event -> event.getPayload().toStringUtf8())
        .toList();
  }
}
