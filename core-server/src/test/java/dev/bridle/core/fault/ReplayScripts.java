package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Replays. See {@link Scenarios}. */
final class ReplayScripts {
  private static final int RUNS = 5;

  private ReplayScripts() {}

  static void replay(World world) {
    Task source = TaskSteps.submit(world, "key-1");
    Task ended = TaskSteps.complete(world, world.lease("w1"));
    assertThat(ended.getId()).isEqualTo(source.getId());
    Task replay = ask(world, source.getId());
    assertThat(replay.getParentTaskId()).isEqualTo(source.getId());
    run(world, replay.getId());
    assertThat(ask(world, source.getId())).as("the answer to a retry").isEqualTo(replay);
    world.expected().completed(source.getId());
    world.expected().completed(replay.getId(), "replay.started", "artifact.created");
  }

  private static Task ask(World world, String source) {
    ReplayTaskRequest request = ReplayTaskRequest.newBuilder().setTaskId(source).build();
    return world.callOnce(
        "replay",
        "key-2",
        channel -> ReplayServiceGrpc.newBlockingStub(channel).replayTask(request));
  }

  /** A lease of the server's own worker ends with its server, and the next one begins anew. */
  private static void run(World world, String replay) {
    for (int i = 0; i < RUNS; i++) {
      TaskLease lease = world.lease(OwnAgents.REPLAY);
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
