package dev.bridle.core.work.dispatch;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.outcome.v1.ListOutcomesRequest;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.TaskLease;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A core with short times, a session, a worker, and what workers and clients say, in words. */
public abstract class LeasedTasks {
  @TempDir protected Path directory;
  protected TestCore core;
  protected TestWorker worker;
  protected String session;

  @BeforeEach
  protected final void start() {
    core = TestCore.start(directory, options());
    worker = new TestWorker(core.owner(), "", "w1");
    session = core.newSession();
  }

  protected TaskOptions options() {
    return TestCore.SHORT;
  }

  @AfterEach
  protected final void stop() {
    core.close();
  }

  protected final Task cancel(String task) {
    return core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
  }

  protected final void complete(TaskLease lease, String summary) {
    var unused =
        core.workers()
            .completeTask(
                CompleteTaskRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setSummary(summary)
                    .build());
  }

  protected final void fail(TaskLease lease, boolean retryable) {
    var unused = core.workers().failTask(TestCore.failure(lease, retryable));
  }

  protected final LeaseState beat(TaskLease lease) {
    return core.workers()
        .heartbeat(
            HeartbeatRequest.newBuilder()
                .addLeases(
                    HeldLease.newBuilder()
                        .setTaskId(lease.getTask().getId())
                        .setFence(lease.getFence()))
                .build())
        .getStatuses(0)
        .getState();
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
    return ReportStepRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(key)
        .setArtifact(
            ArtifactReport.newBuilder()
                .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
                .setMimeType("text/plain")
                .setVisibility(Visibility.VISIBILITY_PUBLIC)
                .setContent(ByteString.copyFromUtf8("hello")))
        .build();
  }

  protected static ReportStepRequest dependency(TaskLease lease, String key) {
    return ReportStepRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(key)
        .setDependency(DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("{\"a\":1}")))
        .build();
  }

  protected static RequestInputRequest question(TaskLease lease, int holdSeconds) {
    return RequestInputRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey("ask")
        .setPrompt("How many?")
        .setHold(Durations.fromSeconds(holdSeconds))
        .build();
  }
}
