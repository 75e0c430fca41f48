package dev.bridle.core.work.replay;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.Steps;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.storage.layer.StoredEvent;
import dev.bridle.task.v1.ReplayCheckpoint;

/** Finds the checkpoints that replays begin at (replay contract, section "Modes"). */
final class ReplayCheckpoints {
  /** The beginning of the keys under which the SDK records checkpoints. */
  private static final String PREFIX = "checkpoint:";

  private final Steps steps;
  private final EventLog log;

  ReplayCheckpoints(CoreContext context) {
    this.steps = new Steps(new StepStore(context.layout()));
    this.log = context.log();
  }

  /** Returns whether a replay begins at a checkpoint: that of the request, or of the source. */
  static boolean isWanted(TaskRecord source, ReplayTaskRequest request, boolean isExecuted) {
    return request.getMode() == ReplayMode.REPLAY_MODE_FROM_CHECKPOINT
        || (isExecuted && source.getTask().getReplay().hasCheckpoint());
  }

  /**
   * Returns the checkpoint that a replay begins at.
   *
   * @throws ProtocolException {@code invalid_request} for one that the task does not have
   */
  ReplayCheckpoint of(
      Write write, TaskRecord source, TaskRecord origin, ReplayTaskRequest request) {
    if (request.hasCheckpointId()) {
      return named(write, origin, request.getCheckpointId());
    }
    return request.hasCheckpointEventId()
        ? at(write, origin, request.getCheckpointEventId())
        : source.getTask().getReplay().getCheckpoint();
  }

  private ReplayCheckpoint named(Write write, TaskRecord origin, String name) {
    String key = name.startsWith(PREFIX) ? name : PREFIX + name;
    StepRecord step =
        steps
            .findRecord(write.tr(), write.tenant(), origin.getTask().getId(), key)
            .filter(record -> record.getStep().hasValue() && !record.getCommitment().isEmpty())
            .orElseThrow(
                () ->
                    ProtocolException.invalid(
                        "checkpoint_id", "names no checkpoint that the task has recorded"));
    return log.taskEventId(write.tr(), write.tenant(), origin.getTask().getId(), step.getSequence())
        .map(
            id ->
                ReplayCheckpoint.newBuilder()
                    .setEventId(id.toString())
                    .setSequence(step.getSequence())
                    .setStepKey(key)
                    .build())
        .orElseThrow(
            () -> ProtocolException.invalid("checkpoint_id", "names one whose event is gone"));
  }

  private ReplayCheckpoint at(Write write, TaskRecord origin, String event) {
    EventRecord record =
        EventId.parse(event)
            .flatMap(id -> log.find(write.tr(), write.tenant(), id))
            .map(ReplayCheckpoints::parse)
            .filter(found -> found.getTaskId().equals(origin.getTask().getId()))
            .orElseThrow(
                () ->
                    ProtocolException.invalid(
                        "checkpoint_event_id", "is no event of the task whose log is replayed"));
    return ReplayCheckpoint.newBuilder()
        .setEventId(event)
        .setSequence(record.getSequence())
        .build();
  }

  private static EventRecord parse(StoredEvent stored) {
    try {
      return EventRecord.parseFrom(stored.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored event is damaged", e);
    }
  }
}
