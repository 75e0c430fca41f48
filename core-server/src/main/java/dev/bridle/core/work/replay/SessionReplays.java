package dev.bridle.core.work.replay;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.replay.v1.ReplaySessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskReplay;
import java.util.List;
import java.util.Optional;

/**
 * Accepts replays of sessions. Each is one task, which goes through the logs of the session's tasks
 * one after the other, so that no replay waits for another one.
 */
final class SessionReplays {
  /** How many of a session's oldest tasks are looked at for one that has ended. */
  private static final int LOOKED_AT = 100;

  private final TaskStores stores;
  private final ReplaySessions targets;
  private final ReplayTasks tasks;

  SessionReplays(CoreContext context, TaskStores stores) {
    this.stores = stores;
    this.targets = new ReplaySessions(context);
    this.tasks = new ReplayTasks(context, stores);
  }

  /** Rejects what is only for single tasks. */
  static void check(ReplaySessionRequest request) {
    if (request.getMode() != ReplayMode.REPLAY_MODE_UNSPECIFIED
        && request.getMode() != ReplayMode.REPLAY_MODE_EXACT) {
      throw ProtocolException.unsupported(
          "mode", "a session is replayed in the mode `exact`; replay its tasks one by one");
    }
    if (request.getDepth() == ReplayDepth.REPLAY_DEPTH_EXECUTE) {
      throw ProtocolException.unsupported(
          "depth",
          "the logs of a session are replayed (`log`); run the handlers of its tasks one by one");
    }
  }

  /** Creates and queues the replay of a session that the caller can access. */
  Task submit(Write write, Session session, ReplaySessionRequest request) {
    TaskRecord first = first(write, session);
    String id = write.id("task");
    tasks.needRoom(write, id, OwnAgents.SESSION_REPLAY);
    return tasks.submit(
        write,
        new ReplayDraft(
            id,
            OwnAgents.SESSION_REPLAY,
            targets.of(write, session, first.getTask().getId(), false),
            replay(session, first),
            Optional.empty(),
            List.of(),
            new ReplayNote(request.getReason(), request.getMetadata())));
  }

  private TaskRecord first(Write write, Session session) {
    return stores
        .tasks()
        .oldestOfSession(write.tr().snapshot(), write.tenant(), session.getId(), LOOKED_AT)
        .stream()
        .filter(record -> !record.getTask().hasReplay())
        .filter(record -> TaskLifecycle.terminal(record.getTask().getStatus()))
        .findFirst()
        .orElseThrow(
            () ->
                ProtocolException.of(
                        ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION,
                        "The session has no task to replay: none that has ended and is no replay itself"
                            + " is among its first "
                            + LOOKED_AT
                            + ".")
                    .with("session_id", session.getId()));
  }

  private static TaskReplay replay(Session session, TaskRecord first) {
    return ReplayRules.of(first.getTask(), false, ReplayMode.REPLAY_MODE_EXACT).toBuilder()
        .setSourceSessionId(session.getId())
        .build();
  }
}
