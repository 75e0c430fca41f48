package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplaySessionRequest;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Replays. See {@link Scenarios}. */
final class ReplayScripts {
  /** A worker whose handler records all that decides on its runs. */
  static final String RECORDS = "records";

  /** A worker that runs the replays of that handler. */
  static final String REPLAYS = "replays";

  private static final int RUNS = 5;

  private ReplayScripts() {}

  static void replay(World world) {
    Task source = TaskSteps.submit(world, "key-1");
    Task ended = TaskSteps.complete(world, world.lease("w1"));
    assertThat(ended.getId()).isEqualTo(source.getId());
    Task replay = ask(world, source.getId(), ReplayDepth.REPLAY_DEPTH_LOG);
    assertThat(replay.getParentTaskId()).isEqualTo(source.getId());
    run(world, replay.getId());
    assertThat(ask(world, source.getId(), ReplayDepth.REPLAY_DEPTH_LOG))
        .as("the answer to a retry")
        .isEqualTo(replay);
    world.expected().completed(source.getId());
    world.expected().completed(replay.getId(), "replay.started", "artifact.created");
  }

  static void session(World world) {
    Task source = TaskSteps.submit(world, "key-1");
    Task ended = TaskSteps.complete(world, world.lease("w1"));
    ReplaySessionRequest request =
        ReplaySessionRequest.newBuilder().setSessionId(ended.getSessionId()).build();
    Task replay =
        world.callOnce(
            "replay",
            "key-2",
            channel -> ReplayServiceGrpc.newBlockingStub(channel).replaySession(request));
    assertThat(replay.getReplay().getSourceTaskId()).isEqualTo(source.getId());
    run(world, replay.getId(), OwnAgents.SESSION_REPLAY);
    world.expected().completed(source.getId());
    world.expected().completed(replay.getId(), "replay.started", "artifact.created");
  }

  static void execute(World world) {
    Task source = TaskSteps.submit(world, "key-1");
    TaskLease first = world.lease(RECORDS);
    var recorded = TaskSteps.progress(world, first, "half");
    assertThat(recorded.getStepKey()).isEqualTo("half");
    assertThat(TaskSteps.complete(world, first).getId()).isEqualTo(source.getId());
    Task replay = ask(world, source.getId(), ReplayDepth.REPLAY_DEPTH_EXECUTE);
    runHandler(world, replay.getId());
    run(world, replay.getId());
    world.expected().completed(source.getId(), EventKinds.PROGRESS);
    world
        .expected()
        .completed(
            replay.getId(), "vendor.bridle.task_bound", "replay.started", "artifact.created");
  }

  static void unclaimed(World world) {
    Task source = TaskSteps.submit(world, "key-1");
    assertThat(TaskSteps.complete(world, world.lease(RECORDS)).getId()).isEqualTo(source.getId());
    Task replay = ask(world, source.getId(), ReplayDepth.REPLAY_DEPTH_EXECUTE);
    GetTaskRequest request = GetTaskRequest.newBuilder().setTaskId(replay.getId()).build();
    Task failed =
        world.timePassesUntil(
            task -> task.getStatus() == TaskStatus.TASK_STATUS_FAILED,
            "get",
            channel -> TaskServiceGrpc.newBlockingStub(channel).getTask(request));
    assertThat(failed.getFailure().getCode()).isEqualTo("replay_unavailable");
    world.expected().completed(source.getId());
    world
        .expected()
        .task(
            replay.getId(),
            TaskStatus.TASK_STATUS_FAILED,
            "task.submitted",
            "replay.failed",
            "task.failed");
  }

  /** Its lease may end with a crash; then the next one begins anew. */
  private static void runHandler(World world, String replay) {
    TaskLease lease = world.lease(REPLAYS);
    assertThat(lease.getTask().getId()).isEqualTo(replay);
    ListStepsResponse steps =
        world.call(
            "list",
            channel ->
                WorkerServiceGrpc.newBlockingStub(channel)
                    .listSteps(
                        ListStepsRequest.newBuilder()
                            .setTaskId(replay)
                            .setFence(lease.getFence())
                            .build()));
    assertThat(steps.getStepsList()).extracting(RecordedStep::getStepKey).containsExactly("half");
    CompareStepsResponse compared =
        world.call(
            "compare",
            channel ->
                WorkerServiceGrpc.newBlockingStub(channel)
                    .compareSteps(
                        CompareStepsRequest.newBuilder()
                            .setTaskId(replay)
                            .setFence(lease.getFence())
                            .addReports(
                                StepReport.newBuilder()
                                    .setStepKey("half")
                                    .setProgress(ProgressReport.newBuilder().setText("half way")))
                            .build()));
    assertThat(compared.getDifferentList()).isEmpty();
    assertThat(TaskSteps.complete(world, lease).getId()).isEqualTo(replay);
    assertThat(TaskSteps.complete(world, lease).getId()).as("told twice").isEqualTo(replay);
  }

  private static Task ask(World world, String source, ReplayDepth depth) {
    ReplayTaskRequest request =
        ReplayTaskRequest.newBuilder().setTaskId(source).setDepth(depth).build();
    return world.callOnce(
        "replay",
        "key-2",
        channel -> ReplayServiceGrpc.newBlockingStub(channel).replayTask(request));
  }

  /** A lease of the server's own worker ends with its server, and the next one begins anew. */
  static void run(World world, String replay) {
    run(world, replay, OwnAgents.REPLAY);
  }

  private static void run(World world, String replay, String agent) {
    for (int i = 0; i < RUNS; i++) {
      TaskLease lease = world.lease(agent);
      assertThat(lease.getTask().getId()).isEqualTo(replay);
      try {
        report(
            world,
            WorkerRequests.step(lease, "replay:started")
                .setEvent(
                    EventReport.newBuilder()
                        .setEvent("replay.started")
                        .setPayload(ByteString.copyFromUtf8("{}")))
                .build());
        report(
            world,
            WorkerRequests.step(lease, "replay:segment")
                .setArtifact(WorkerRequests.artifact())
                .build());
        complete(world, WorkerRequests.complete(lease).setSummary("replayed").build());
        return;
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != Status.Code.ABORTED) {
          throw e;
        }
      }
    }
    throw new AssertionError("the replay did not end");
  }

  private static void report(World world, ReportStepRequest request) {
    var unused =
        world.callAs(
            "report",
            SteppedCore.REPLAYER,
            channel -> WorkerServiceGrpc.newBlockingStub(channel).reportStep(request));
  }

  private static void complete(World world, CompleteTaskRequest request) {
    var unused =
        world.callAs(
            "complete",
            SteppedCore.REPLAYER,
            channel -> WorkerServiceGrpc.newBlockingStub(channel).completeTask(request));
  }
}
