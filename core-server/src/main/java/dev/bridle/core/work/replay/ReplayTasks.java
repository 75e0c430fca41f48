package dev.bridle.core.work.replay;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.RequestInfo;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.trace.TraceId;
import dev.bridle.core.work.task.ReplaySpelling;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import java.util.Set;

/** Queues replays: tasks that are bound to an agent that replays, and to no quota. */
final class ReplayTasks {
  /** Of each shard of the queue, for each tenant. */
  private static final int MOST_WAITING = 250;

  private static final int RETRY_SECONDS = 5;

  private final TaskStores stores;
  private final Steps steps;
  private final ReplayWait wait;

  ReplayTasks(CoreContext context, TaskStores stores) {
    this.stores = stores;
    this.steps = new Steps(new StepStore(context.layout()));
    this.wait = new ReplayWait(context.settings(ReplayOptions.class));
  }

  /**
   * Bounds the replays that wait in the queue's shard of a new one; {@code rate_limited} while too
   * many replays of the tenant wait.
   */
  void needRoom(Write write, String id, String agent) {
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

  /** Creates and queues a replay. */
  Task submit(Write write, ReplayDraft draft) {
    Task task = task(write, draft);
    TaskInput input = TaskInput.newBuilder().setJson(facts(draft.replay()).json()).build();
    TaskChange change = stores.change(write, record(write, task, draft));
    change.emit(EventDraft.of(EventKinds.TASK_SUBMITTED, submitted(task, draft)));
    draft.replaced().forEach(step -> steps.insert(change, step));
    change.enqueue("", 0);
    wait.begin(change);
    TaskRecord made = change.saveNew(input);
    return made.getTask().toBuilder().setInput(input).build();
  }

  private static Task task(Write write, ReplayDraft draft) {
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Session session = draft.session();
    Task.Builder task =
        Task.newBuilder()
            .setId(draft.id())
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(draft.note().metadata())
            .setSessionId(session.getId())
            .setWorkspaceId(session.getWorkspaceId())
            .setStatus(TaskStatus.TASK_STATUS_SUBMITTED)
            .setCreatedBy(write.actor())
            .setAssignedAgentId(draft.agent())
            .setReplay(draft.replay());
    draft
        .source()
        .map(TaskRecord::getTask)
        .ifPresent(
            source -> {
              task.setParentTaskId(source.getId());
              if (source.hasPersonaId()) {
                task.setPersonaId(source.getPersonaId());
              }
            });
    if (session.hasBranchId()) {
      task.setBranchId(session.getBranchId());
    }
    return task.build();
  }

  private static TaskRecord record(Write write, Task task, ReplayDraft draft) {
    TraceId trace = RequestInfo.currentTrace().orElseGet(() -> TraceId.of(task.getId()));
    TaskRecord.Builder record =
        TaskRecord.newBuilder()
            .setTask(task)
            .setTraceId(trace.hex())
            .setFactsKept(true)
            .setSubmittedBy(write.actor())
            .addAllAlsoSubmittedBy(
                draft.source().map(TaskCreationRules::submitters).orElse(Set.of()).stream()
                    .filter(actor -> !actor.equals(write.actor()))
                    .toList())
            .setLease(Lease.newBuilder().setState(LeaseState.LEASE_STATE_FREE));
    draft
        .source()
        .filter(TaskRecord::hasPersona)
        .ifPresent(source -> record.setPersona(source.getPersona()));
    return record.build();
  }

  private static Payload submitted(Task task, ReplayDraft draft) {
    return Payload.of()
        .text("status", TaskLifecycle.spell(task.getStatus()))
        .json("replay", facts(draft.replay()).text("reason", draft.note().reason()).json())
        .text("persona_id", task.getPersonaId())
        .text("branch_id", task.getBranchId())
        .text("parent_task_id", task.getParentTaskId())
        .text("assigned_agent_id", task.getAssignedAgentId());
  }

  private static Payload facts(TaskReplay replay) {
    return checkpoint(replay)
        .text("source_session_id", replay.getSourceSessionId())
        .text("source_task_id", replay.getSourceTaskId())
        .text("origin_task_id", replay.getOriginTaskId())
        .text("mode", ReplaySpelling.of(replay.getMode()))
        .text("depth", ReplaySpelling.of(replay.getDepth()))
        .texts("override_keys", replay.getOverrideKeysList())
        .texts("refresh_keys", replay.getRefreshKeysList());
  }

  private static Payload checkpoint(TaskReplay replay) {
    return replay.hasCheckpoint()
        ? Payload.of()
            .text("checkpoint_event_id", replay.getCheckpoint().getEventId())
            .text("checkpoint_id", replay.getCheckpoint().getStepKey())
        : Payload.of();
  }
}
