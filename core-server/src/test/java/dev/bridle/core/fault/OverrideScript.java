package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.ReplayedPath;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;

/** A replay that replaces a recorded value. See {@link Scenarios}. */
final class OverrideScript {
  private static final String KEY = "host:fact";
  private static final String COMPUTED = "host:other";

  private OverrideScript() {}

  static void replay(World world) {
    Task source = TaskSteps.submit(world, "key-1");
    TaskLease first = world.lease(ReplayScripts.RECORDS);
    assertThat(TaskSteps.value(world, first, KEY).getStepKey()).isEqualTo(KEY);
    assertThat(TaskSteps.value(world, first, COMPUTED).getStepKey()).isEqualTo(COMPUTED);
    assertThat(TaskSteps.complete(world, first).getId()).isEqualTo(source.getId());
    ReplayTaskRequest request =
        ReplayTaskRequest.newBuilder()
            .setTaskId(source.getId())
            .setMode(ReplayMode.REPLAY_MODE_WITH_OVERRIDES)
            .addRefresh(COMPUTED)
            .putOverride(
                KEY,
                ReplayOverride.newBuilder()
                    .setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_HOST_FACT)
                    .setValue(ByteString.copyFromUtf8("2"))
                    .build())
            .build();
    Task replay =
        world.callOnce(
            "replay",
            "key-2",
            channel -> ReplayServiceGrpc.newBlockingStub(channel).replayTask(request));
    runHandler(world, replay.getId());
    ReplayScripts.run(world, replay.getId());
    world
        .expected()
        .completed(source.getId(), EventKinds.DEPENDENCY_RECORDED, EventKinds.DEPENDENCY_RECORDED);
    world
        .expected()
        .completed(
            replay.getId(),
            EventKinds.REPLAY_EVENT_REPLAYED,
            EventKinds.REPLAY_EVENT_REPLAYED,
            EventKinds.AGENT_MESSAGE,
            EventKinds.REPLAY_EVENT_REPLAYED,
            "vendor.bridle.task_bound",
            "replay.started",
            "artifact.created");
  }

  /** Its lease may end with a crash; then the next one begins anew, and finds what is recorded. */
  private static void runHandler(World world, String replay) {
    TaskLease lease = world.lease(ReplayScripts.REPLAYS);
    assertThat(lease.getTask().getId()).isEqualTo(replay);
    CompareStepsResponse computed =
        compare(
            world,
            request(lease)
                .addReports(
                    StepReport.newBuilder()
                        .setStepKey(COMPUTED)
                        .setDependency(
                            DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("3"))))
                .build());
    assertThat(computed.getRecorded(0).getValue().toStringUtf8()).isEqualTo("3");
    CompareStepsResponse compared =
        compare(
            world,
            request(lease).addReports(WorkerRequests.message("said", "something else")).build());
    assertThat(compared.getDifferentList()).containsExactly(0);
    assertThat(compared.getRecorded(0).getMessage().getTaskId()).isEqualTo(replay);
    var path =
        ReplayedPath.newBuilder().addUsed(KEY).addUsed(COMPUTED).addAdded("said").setDifferences(1);
    assertThat(compare(world, request(lease).setPath(path).build()).getDifferentList()).isEmpty();
    assertThat(TaskSteps.complete(world, lease).getId()).isEqualTo(replay);
    assertThat(TaskSteps.complete(world, lease).getId()).as("told twice").isEqualTo(replay);
  }

  private static CompareStepsRequest.Builder request(TaskLease lease) {
    return CompareStepsRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence());
  }

  private static CompareStepsResponse compare(World world, CompareStepsRequest request) {
    return world.call(
        "compare", channel -> WorkerServiceGrpc.newBlockingStub(channel).compareSteps(request));
  }
}
