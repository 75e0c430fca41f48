package dev.bridle.core.work.replay;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.ErasedPayload;
import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.core.work.task.FailureCodes;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.worker.v1.HandlerDeterminism;

/** Decides which replays are accepted, and what they are of. */
final class ReplayRules {
  private static final String REDACTED = "redacted";

  private ReplayRules() {}

  /** Checks what a request asks for; {@code invalid_request} where that can't be done. */
  static void check(ReplayTaskRequest request) {
    switch (request.getMode()) {
      case REPLAY_MODE_UNSPECIFIED, REPLAY_MODE_EXACT -> needNoOverride(request);
      case REPLAY_MODE_WITH_OVERRIDES -> needOverride(request);
      case REPLAY_MODE_FROM_CHECKPOINT -> needCheckpoint(request);
      case UNRECOGNIZED -> throw ProtocolException.invalid("mode", "is unknown");
    }
    if (request.getMode() != ReplayMode.REPLAY_MODE_FROM_CHECKPOINT
        && (request.hasCheckpointId() || request.hasCheckpointEventId())) {
      throw ProtocolException.invalid(
          request.hasCheckpointId() ? "checkpoint_id" : "checkpoint_event_id",
          "must be absent unless the mode is `from_checkpoint`");
    }
  }

  private static void needCheckpoint(ReplayTaskRequest request) {
    if (request.hasCheckpointId() == request.hasCheckpointEventId()) {
      throw ProtocolException.invalid(
          "checkpoint_id", "must be given, or else a `checkpoint_event_id`; not both");
    }
    needExecution(request);
  }

  private static void needExecution(ReplayTaskRequest request) {
    if (request.getDepth() == ReplayDepth.REPLAY_DEPTH_LOG) {
      throw ProtocolException.invalid(
          "depth", "must be `execute` or absent: the replay is one of the handler");
    }
  }

  private static void needNoOverride(ReplayTaskRequest request) {
    if (request.getRefreshCount() > 0) {
      throw ProtocolException.invalid(
          "refresh", "must be empty, since an exact replay computes nothing; use `with_overrides`");
    }
    if (request.getOverrideCount() > 0) {
      throw ProtocolException.invalid(
          "override",
          "must be empty, since an exact replay uses what is recorded; use `with_overrides`");
    }
  }

  private static void needOverride(ReplayTaskRequest request) {
    if (request.getOverrideCount() == 0 && request.getRefreshCount() == 0) {
      throw ProtocolException.invalid(
          "override", "must name what is replaced, or else `refresh` what is computed anew");
    }
    needExecution(request);
  }

  /** Returns whether the handler runs. */
  static boolean isExecuted(ReplayTaskRequest request) {
    return request.getDepth() == ReplayDepth.REPLAY_DEPTH_EXECUTE
        || request.getMode() == ReplayMode.REPLAY_MODE_WITH_OVERRIDES
        || request.getMode() == ReplayMode.REPLAY_MODE_FROM_CHECKPOINT;
  }

  /** Returns whether values of the origin are replaced: by this request, or by the source. */
  static boolean replacesValues(Task source, ReplayTaskRequest request) {
    return request.getOverrideCount() > 0
        || request.getRefreshCount() > 0
        || (isExecuted(request) && OverriddenRun.replaces(source.getReplay()));
  }

  /** Checks that the handler itself has ended the task: beyond a stop nothing is recorded. */
  static void needEndedByHandler(TaskRecord origin) {
    if (OriginEnd.wasStopped(origin)) {
      throw ProtocolException.unsupported(
          "mode", "the task was stopped, so its record ends before its handler did; use `exact`");
    }
  }

  /**
   * Checks that the handler of a task can be run again: it has declared that it records all that
   * decides on its runs, and the task's input is there.
   */
  static void needExecutable(TaskRecord origin, TaskInput input) {
    if (origin.getHandler().getDeterminism() != HandlerDeterminism.HANDLER_DETERMINISM_RECORDED) {
      throw ProtocolException.unsupported(
          "depth",
          "the task's handler does not declare that it records all that decides on its runs;"
              + " replay its log (`log`)");
    }
    if (Redactions.isErased(input.getMessage().getPartsList())
        || (!input.getJson().isEmpty() && ErasedPayload.isErased(input.getJson()))) {
      throw ProtocolException.unsupported(
          "depth", "the task's input was redacted; replay its log (`log`)");
    }
  }

  /**
   * Returns what a replay of an ended task is; {@code invalid_state_transition} of a live one.
   *
   * @param isExecuted whether the handler runs
   * @param mode the mode
   */
  static TaskReplay of(Task source, boolean isExecuted, ReplayMode mode) {
    if (source.getReplay().hasSourceSessionId()) {
      throw ProtocolException.unsupported(
          "task_id", "is the replay of a session; replay that again, or one of its tasks");
    }
    if (!TaskLifecycle.terminal(source.getStatus())) {
      throw TaskLifecycle.refused(source.getStatus());
    }
    TaskReplay.Builder replay =
        TaskReplay.newBuilder()
            .setSourceTaskId(source.getId())
            .setMode(mode)
            .setDepth(isExecuted ? ReplayDepth.REPLAY_DEPTH_EXECUTE : ReplayDepth.REPLAY_DEPTH_LOG);
    if (source.hasReplay()) {
      TaskReplay earlier = source.getReplay();
      replay.setOriginTaskId(earlier.getOriginTaskId()).setOriginStatus(earlier.getOriginStatus());
      if (earlier.hasOriginFailureCode()) {
        replay.setOriginFailureCode(earlier.getOriginFailureCode());
      }
      return replay.build();
    }
    replay.setOriginTaskId(source.getId()).setOriginStatus(source.getStatus());
    if (source.hasFailure()) {
      String code = source.getFailure().getCode();
      replay.setOriginFailureCode(FailureCodes.isName(code) ? code : REDACTED);
    }
    return replay.build();
  }
}
