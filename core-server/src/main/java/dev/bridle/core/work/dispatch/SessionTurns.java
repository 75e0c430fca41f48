package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.session.SessionIdleness;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.SessionStateRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.task.v1.TaskOrBuilder;
import java.util.Optional;

/**
 * Gives the turn in a session to one task at a time, for agents whose workers ask for that. A task
 * has it from its first lease to its end.
 */
final class SessionTurns {
  private final RecordStore<SessionStateRecord> states;
  private final TaskStore tasks;
  private final SessionIdleness idleness;

  SessionTurns(CoreContext context, TaskStore tasks) {
    this.states = SessionStates.SESSION_STATE.store(context.layout());
    this.tasks = tasks;
    this.idleness = new SessionIdleness(context);
  }

  /** Returns whether a task has the turn in its session, or no other one has. */
  boolean isFree(ReadTransaction tr, String tenant, String agentId, TaskRecord task) {
    return state(tr, tenant, agentId, task.getTask())
        .map(SessionStateRecord::getTurnTaskId)
        .filter(other -> !other.isEmpty() && !other.equals(task.getTask().getId()))
        .flatMap(other -> tasks.find(tr, tenant, other))
        .filter(other -> !TaskLifecycle.terminal(other.getTask().getStatus()))
        .isEmpty();
  }

  /** Gives the turn to a task, for which an agent that waits in the session is woken. */
  void give(TaskChange change, String agentId) {
    Write write = change.write();
    Optional<SessionStateRecord> before = state(write.tr(), write.tenant(), agentId, change.task());
    if (before.filter(kept -> kept.getTurnTaskId().equals(change.id())).isPresent()) {
      return;
    }
    String session = change.task().getSessionId();
    idleness.active(write, session);
    SessionStateRecord after =
        before
            .map(SessionStateRecord::toBuilder)
            .orElseGet(
                () -> SessionStateRecord.newBuilder().setSessionId(session).setAgentId(agentId))
            .setTurnTaskId(change.id())
            .build();
    String id = SessionStates.id(session, agentId);
    if (before.isPresent()) {
      states.update(write.tr(), write.tenant(), id, before.get(), after);
    } else {
      states.insert(write.tr(), write.tenant(), id, after);
    }
  }

  /** Marks the session as idle in which an ending task has the turn. */
  void idle(TaskChange change, String agentId) {
    Write write = change.write();
    state(write.tr(), write.tenant(), agentId, change.task())
        .filter(kept -> kept.getTurnTaskId().equals(change.id()))
        .ifPresent(kept -> idleness.idle(write, kept.getSessionId()));
  }

  private Optional<SessionStateRecord> state(
      ReadTransaction tr, String tenant, String agentId, TaskOrBuilder task) {
    return states.get(tr, tenant, SessionStates.id(task.getSessionId(), agentId));
  }
}
