package dev.bridle.core.work.dispatch;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.server.WithCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.outcome.v1.ListOutcomesRequest;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A core with short times, a session, a worker, and what workers and clients say, in words. */
public abstract class LeasedTasks extends WithCore {
  protected TestWorker worker;
  protected String session;

  @BeforeEach
  protected final void connect() {
    worker = new TestWorker(core.owner(), "", "w1");
    session = core.newSession();
  }

  @Override
  protected TaskOptions options() {
    return TestCore.SHORT;
  }

  protected final Task cancel(String task) {
    return core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
  }

  protected final void complete(TaskLease lease, String summary) {
    var unused =
        core.workers().completeTask(WorkerRequests.complete(lease).setSummary(summary).build());
  }

  protected final void complete(TaskLease lease) {
    complete(lease, "");
  }

  protected final void fail(TaskLease lease, boolean retryable) {
    var unused = core.workers().failTask(TestCore.failure(lease, retryable));
  }

  protected final LeaseState beat(TaskLease lease) {
    return core.workers().heartbeat(WorkerRequests.heartbeat(lease)).getStatuses(0).getState();
  }

  protected final List<RecordedStep> steps(TaskLease lease) {
    return core.workers()
        .listSteps(
            ListStepsRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .build())
        .getStepsList();
  }

  protected final List<Outcome> outcomes(String task) {
    return OutcomeServiceGrpc.newBlockingStub(core.owner())
        .listOutcomes(ListOutcomesRequest.newBuilder().setTaskId(task).build())
        .getDataList();
  }

  protected static ReportStepRequest artifact(TaskLease lease, String key) {
    return WorkerRequests.step(lease, key).setArtifact(WorkerRequests.artifact()).build();
  }

  protected static ReportStepRequest dependency(TaskLease lease, String key) {
    return WorkerRequests.step(lease, key)
        .setDependency(DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("{\"a\":1}")))
        .build();
  }

  protected static RequestInputRequest question(TaskLease lease, int holdSeconds) {
    return WorkerRequests.question(lease).setHold(Durations.fromSeconds(holdSeconds)).build();
  }
}
