package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.TaskLease;
import org.junit.jupiter.api.Test;

/** Replays of handlers that begin at a checkpoint. */
final class CheckpointReplayTest extends ExecutedTasks {
  private Task replay(Task source, ReplayTaskRequest.Builder request) {
    return ReplayServiceGrpc.newBlockingStub(core.owner())
        .replayTask(request.setTaskId(source.getId()).build());
  }

  private static ReplayTaskRequest.Builder from() {
    return ReplayTaskRequest.newBuilder().setMode(ReplayMode.REPLAY_MODE_FROM_CHECKPOINT);
  }

  private static ReplayOverride override() {
    return ReplayOverride.newBuilder()
        .setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_TOOL_RESULT)
        .setValue(ByteString.copyFromUtf8("7"))
        .build();
  }

  /** Runs a task with a value before a checkpoint, and one after it. */
  private Task checkpointed() {
    Task task = task();
    TaskLease lease = lease(writer);
    step(lease, dependency(lease, "llm:1").toBuilder());
    step(lease, dependency(lease, "checkpoint:half").toBuilder());
    step(lease, dependency(lease, "llm:2").toBuilder());
    complete(lease, "done");
    return core.task(task.getId());
  }

  private String event(Task task, int sequence) {
    return core.eventsOf(task.getId()).get(sequence).getId();
  }

  @Test
  void aReplayBeginsAtACheckpointByItsKeyOrItsEvent() {
    Task source = checkpointed();

    Task byKey = replay(source, from().setCheckpointId("half"));
    Task byStep = replay(source, from().setCheckpointId("checkpoint:half"));
    Task byEvent = replay(source, from().setCheckpointEventId(event(source, 3)));

    assertThat(byKey.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_FROM_CHECKPOINT);
    assertThat(byKey.getReplay().getDepth()).isEqualTo(ReplayDepth.REPLAY_DEPTH_EXECUTE);
    assertThat(byKey.getReplay().getCheckpoint().getSequence()).isEqualTo(3);
    assertThat(byKey.getReplay().getCheckpoint().getStepKey()).isEqualTo("checkpoint:half");
    assertThat(byStep.getReplay()).isEqualTo(byKey.getReplay());
    assertThat(byEvent.getReplay().getCheckpoint())
        .isEqualTo(byKey.getReplay().getCheckpoint().toBuilder().clearStepKey().build());
    assertThat(byKey.getSessionId()).isEqualTo(source.getSessionId());
    TaskLease lease = lease(replays);
    assertThat(lease.getReplay().getFromSequence()).isEqualTo(3);
    complete(lease, "done");
    assertThat(ended(lease.getTask()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
  }

  @Test
  void whatIsNoCheckpointOfTheTaskIsRejected() {
    Task source = checkpointed();
    Task other = checkpointed();

    assertInvalid("checkpoint_id", source, from());
    assertInvalid("checkpoint_id", source, from().setCheckpointId("third"));
    assertInvalid(
        "checkpoint_id",
        source,
        from().setCheckpointId("half").setCheckpointEventId(event(source, 3)));
    assertInvalid("checkpoint_event_id", source, from().setCheckpointEventId(event(other, 3)));
    assertInvalid("checkpoint_event_id", source, from().setCheckpointEventId("event_1"));
    assertInvalid(
        "depth", source, from().setCheckpointId("half").setDepth(ReplayDepth.REPLAY_DEPTH_LOG));
    assertInvalid(
        "checkpoint_id",
        source,
        ReplayTaskRequest.newBuilder()
            .setCheckpointId("half")
            .setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE));
  }

  @Test
  void onlyWhatComesAfterTheCheckpointCanBeReplaced() {
    Task source = checkpointed();

    assertInvalid(
        "override", source, from().setCheckpointId("half").putOverride("llm:1", override()));
    assertInvalid(
        "override",
        source,
        from().setCheckpointId("half").putOverride("checkpoint:half", override()));
    Task replay = replay(source, from().setCheckpointId("half").putOverride("llm:2", override()));

    assertThat(replay.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_FROM_CHECKPOINT);
    assertThat(replay.getReplay().getOverrideKeysList()).containsExactly("llm:2");
    assertThat(replay.getSessionId()).isNotEqualTo(source.getSessionId());
    TaskLease lease = lease(replays, replay);
    assertThat(lease.getReplay().getOverrides()).isTrue();
    assertThat(list(lease).getSteps(2).getValue().toStringUtf8()).isEqualTo("7");
  }

  @Test
  void aReplayOfSuchAReplayBeginsThereToo() {
    Task source = checkpointed();
    Task first = replay(source, from().setCheckpointId("half"));
    complete(lease(replays, first), "done");

    Task again =
        replay(
            ended(first),
            ReplayTaskRequest.newBuilder().setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE));
    Task log = replay(core.task(first.getId()), ReplayTaskRequest.newBuilder());

    assertThat(again.getReplay().getCheckpoint()).isEqualTo(first.getReplay().getCheckpoint());
    assertThat(again.getReplay().getOriginTaskId()).isEqualTo(source.getId());
    assertThat(log.getReplay().hasCheckpoint()).isFalse();
  }

  private void assertInvalid(String param, Task source, ReplayTaskRequest.Builder request) {
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, param, () -> replay(source, request));
  }
}
