package dev.bridle.core.work.replay;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.RequestInfo;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.trace.TraceId;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.session.IsolatedSessions;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.ReplaySpelling;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import java.util.List;
import java.util.Optional;

/**
 * Accepts replays: tasks that are bound to the server's own agent, and to no quota. Each is durable
 * once the transaction commits.
 */
final class ReplaySubmission {
  /** Of each shard of the queue, for each tenant. */
  private static final int MOST_WAITING = 250;

  private static final int RETRY_SECONDS = 5;

  private final TaskStores stores;
  private final SessionStore sessions;
  private final IsolatedSessions isolated;
  private final ReplayOverrides overrides;
  private final ReplayCheckpoints checkpoints;
  private final Steps steps;
  private final ReplayWait wait;

  ReplaySubmission(CoreContext context, TaskStores stores) {
    this.stores = stores;
    this.sessions = new SessionStore(context.layout(), context.log());
    this.isolated = new IsolatedSessions(context);
    this.overrides = new ReplayOverrides(context);
    this.checkpoints = new ReplayCheckpoints(context);
    this.steps = new Steps(new StepStore(context.layout()));
    this.wait = new ReplayWait(context.settings(ReplayOptions.class));
  }

  /**
   * Creates and queues the replay of a task that the caller can access; {@code rate_limited} while
   * too many replays of the tenant wait.
   */
  Task submit(Write write, TaskRecord source, ReplayTaskRequest request) {
    String id = write.id("task");
    boolean isExecuted = ReplayRules.isExecuted(request);
    boolean replaces = ReplayRules.replacesValues(source.getTask(), request);
    boolean begins = ReplayCheckpoints.isWanted(source, request, isExecuted);
    TaskReplay.Builder found =
        ReplayRules.of(source.getTask(), isExecuted, mode(replaces, begins)).toBuilder();
    Optional<TaskRecord> origin =
        isExecuted ? executed(write, found, replaces || begins) : Optional.empty();
    String agent =
        origin
            .map(executed -> OwnAgents.replaysOf(executed.getTask().getAssignedAgentId()))
            .orElse(OwnAgents.REPLAY);
    needRoom(write, id, agent);
    if (begins) {
      found.setCheckpoint(checkpoints.of(write, source, origin.orElseThrow(), request));
    }
    List<StepRecord> replaced =
        replaces
            ? overrides.of(write, source, origin.orElseThrow(), found.build(), request)
            : List.of();
    replaced.forEach(step -> found.addOverrideKeys(step.getStep().getStepKey()));
    TaskReplay replay = found.build();
    Session session = session(write, source.getTask(), replaces);
    Task task =
        task(write, source.getTask(), session, replay, request)
            .setId(id)
            .setAssignedAgentId(agent)
            .build();
    TaskInput input = TaskInput.newBuilder().setJson(facts(replay).json()).build();
    TaskChange change = stores.change(write, record(task, source));
    change.emit(EventDraft.of(EventKinds.TASK_SUBMITTED, submitted(task, replay, request)));
    replaced.forEach(step -> steps.insert(change, step));
    change.enqueue("", 0);
    wait.begin(change);
    TaskRecord made = change.saveNew(input);
    return made.getTask().toBuilder().setInput(input).build();
  }

  private static ReplayMode mode(boolean replaces, boolean begins) {
    if (begins) {
      return ReplayMode.REPLAY_MODE_FROM_CHECKPOINT;
    }
    return replaces ? ReplayMode.REPLAY_MODE_WITH_OVERRIDES : ReplayMode.REPLAY_MODE_EXACT;
  }

  /** Returns the task whose handler the replay runs. */
  private Optional<TaskRecord> executed(Write write, TaskReplay.Builder replay, boolean changes) {
    String id = replay.getOriginTaskId();
    TaskRecord origin =
        stores
            .tasks()
            .find(write.tr(), write.tenant(), id)
            .orElseThrow(() -> ProtocolException.notFound("task", id));
    ReplayRules.needExecutable(
        origin, stores.tasks().resource(write.tr(), write.tenant(), origin).getInput());
    if (changes) {
      ReplayRules.needEndedByHandler(origin);
    }
    return Optional.of(origin);
  }

  /** Bounds the replays that wait in the queue's shard of a new one. */
  private void needRoom(Write write, String id, String agent) {
    int waiting =
        stores
            .queue()
            .waiting(
                write.tr().snapshot(), TaskQueue.shardOf(id), agent, write.tenant(), MOST_WAITING)
            .size();
    if (waiting >= MOST_WAITING) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "Too many replays wait; try again once some of them have ended.")
          .retryAfter(RETRY_SECONDS);
    }
  }

  /**
   * Returns the session of the source. Where that takes no more tasks, or the replay says what was
   * never said in it, returns one beside it.
   */
  private Session session(Write write, Task source, boolean saysMore) {
    Session session = sessions.need(write.tr(), Caller.current(), source.getSessionId());
    return SessionStore.isOpen(session) && !saysMore
        ? session
        : isolated.create(
            write,
            session,
            source.getId(),
            Payload.of().text("replay_of_session_id", session.getId()).json());
  }

  private static Task.Builder task(
      Write write, Task source, Session session, TaskReplay replay, ReplayTaskRequest request) {
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Task.Builder task =
        Task.newBuilder()
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(request.getMetadata())
            .setSessionId(session.getId())
            .setWorkspaceId(session.getWorkspaceId())
            .setStatus(TaskStatus.TASK_STATUS_SUBMITTED)
            .setCreatedBy(write.actor())
            .setParentTaskId(source.getId())
            .setReplay(replay);
    if (source.hasPersonaId()) {
      task.setPersonaId(source.getPersonaId());
    }
    if (session.hasBranchId()) {
      task.setBranchId(session.getBranchId());
    }
    return task;
  }

  private static TaskRecord record(Task task, TaskRecord source) {
    TraceId trace = RequestInfo.currentTrace().orElseGet(() -> TraceId.of(task.getId()));
    TaskRecord.Builder record =
        TaskRecord.newBuilder()
            .setTask(task)
            .setTraceId(trace.hex())
            .setFactsKept(true)
            .setLease(Lease.newBuilder().setState(LeaseState.LEASE_STATE_FREE));
    if (source.hasPersona()) {
      record.setPersona(source.getPersona());
    }
    return record.build();
  }

  private static Payload submitted(Task task, TaskReplay replay, ReplayTaskRequest request) {
    return Payload.of()
        .text("status", TaskLifecycle.spell(task.getStatus()))
        .json("replay", facts(replay).text("reason", request.getReason()).json())
        .text("persona_id", task.getPersonaId())
        .text("branch_id", task.getBranchId())
        .text("parent_task_id", task.getParentTaskId())
        .text("assigned_agent_id", task.getAssignedAgentId());
  }

  private static Payload facts(TaskReplay replay) {
    return checkpoint(replay)
        .text("source_task_id", replay.getSourceTaskId())
        .text("origin_task_id", replay.getOriginTaskId())
        .text("mode", ReplaySpelling.of(replay.getMode()))
        .text("depth", ReplaySpelling.of(replay.getDepth()))
        .texts("override_keys", replay.getOverrideKeysList());
  }

  private static Payload checkpoint(TaskReplay replay) {
    return replay.hasCheckpoint()
        ? Payload.of()
            .text("checkpoint_event_id", replay.getCheckpoint().getEventId())
            .text("checkpoint_id", replay.getCheckpoint().getStepKey())
        : Payload.of();
  }
}
