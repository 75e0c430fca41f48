package dev.bridle.cli.replay.server;

import dev.bridle.proof.replay.ReplacedRun;
import dev.bridle.proof.replay.SegmentRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.task.v1.TaskStatus;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A task whose log is replayed.
 *
 * @param sourceTaskId the task that was asked for
 * @param originTaskId the task whose log it is
 * @param status how that ended
 * @param request what is replayed
 * @param isOneOfMany whether the replay is that of a session
 */
record ReplayedOrigin(
    String sourceTaskId,
    String originTaskId,
    TaskStatus status,
    SegmentRequest request,
    boolean isOneOfMany) {

  /**
   * Returns what the replay of a task is of.
   *
   * @param run what the task's handler did before, if recorded values were replaced
   */
  static ReplayedOrigin of(TaskReplay replay, Optional<ReplacedRun> run) {
    return new ReplayedOrigin(
        replay.getSourceTaskId(),
        replay.getOriginTaskId(),
        replay.getOriginStatus(),
        new SegmentRequest(
            replay.getDepth() == ReplayDepth.REPLAY_DEPTH_EXECUTE
                ? SegmentRequest.Depth.EXECUTE
                : SegmentRequest.Depth.LOG,
            replay.hasCheckpoint()
                ? OptionalLong.of(replay.getCheckpoint().getSequence())
                : OptionalLong.empty(),
            run),
        false);
  }

  /** Returns a task of a session that is replayed. */
  static ReplayedOrigin ofSession(Task ended) {
    return new ReplayedOrigin(
        ended.getId(), ended.getId(), ended.getStatus(), SegmentRequest.LOG, true);
  }

  /** Returns the key of a step of the replay. */
  String key(String step) {
    return "replay:" + (isOneOfMany ? sourceTaskId + ":" : "") + step;
  }

  /** Returns whether the log ends as the task does. */
  boolean endedAs(String state) {
    return status.name().endsWith("_" + state);
  }

  /** Returns how the task's handler ended where recorded values were replaced. */
  Optional<String> finalState() {
    return request.run().map(ReplacedRun::finalState);
  }
}
