package dev.bridle.core.work.task;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.HostCall;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.QueuePlace;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.record.v1.TaskUsage;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskOrBuilder;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import java.util.List;

/**
 * One task's part in a transaction: its status, events, queue entry, lease and due entries change
 * through this, and are stored together by {@link #save()}, so that no crash can leave two of them
 * apart.
 */
public final class TaskChange {
  private final Write write;
  private final TaskStores stores;
  private final TaskRecord before;
  private final TaskRecord.Builder record;

  TaskChange(Write write, TaskStores stores, TaskRecord before) {
    this.write = write;
    this.stores = stores;
    this.before = before;
    this.record = before.toBuilder();
  }

  /** Returns the task's record as it stands in this change, to read. */
  public TaskRecordOrBuilder record() {
    return record;
  }

  /** Returns the task's members as they stand in this change, to read. */
  public TaskOrBuilder task() {
    return record.getTaskBuilder();
  }

  /** Returns the task's status as it stands in this change. */
  public TaskStatus status() {
    return record.getTask().getStatus();
  }

  /** Returns the task's id. */
  public String id() {
    return before.getTask().getId();
  }

  /** Returns the write that this change belongs to. */
  public Write write() {
    return write;
  }

  /** Returns what the task has used since it was stored last. */
  public TaskUsage usedSince() {
    TaskUsage was = before.getUsage();
    TaskUsage is = record.getUsage();
    return TaskUsage.newBuilder()
        .setTokens(is.getTokens() - was.getTokens())
        .setCostMicros(is.getCostMicros() - was.getCostMicros())
        .setToolCalls(is.getToolCalls() - was.getToolCalls())
        .setRunningMillis(is.getRunningMillis() - was.getRunningMillis())
        .build();
  }

  /** Notes that clients have asked for the task to be canceled. */
  void requestCancel(String reason) {
    record.setCancelRequestedAt(write.nowMillis()).setCancelReason(reason);
  }

  /** Counts a message of the task. */
  public void countMessage() {
    record.getTotalsBuilder().setMessages(record.getTotals().getMessages() + 1);
  }

  /** Counts new artifacts of the task. */
  public void countArtifacts(int added) {
    record.getTotalsBuilder().setArtifacts(record.getTotals().getArtifacts() + added);
  }

  /** Counts a recorded dependency of the task. */
  public void countDependency() {
    record.getTotalsBuilder().setDependencies(record.getTotals().getDependencies() + 1);
  }

  /** Notes that the task has recorded steps, which a later run of its handler is given. */
  void recordStep() {
    record.setHasSteps(true);
  }

  /** Adds what model calls took: tokens of both directions, and millionths of the currency. */
  public void recordUsage(long tokens, long costMicros) {
    TaskUsage.Builder usage = record.getUsageBuilder();
    usage.setTokens(usage.getTokens() + tokens).setCostMicros(usage.getCostMicros() + costMicros);
  }

  /** Counts actions that were allowed, and reported calls of tools. */
  public void countToolCalls(long calls) {
    TaskUsage.Builder usage = record.getUsageBuilder();
    usage.setToolCalls(usage.getToolCalls() + calls);
  }

  /** Counts how long a worker has run the task since that was counted last. */
  public void countRunning() {
    long since = record.getLease().getRunningSince();
    if (since != 0) {
      long now = write.nowMillis();
      TaskUsage.Builder usage = record.getUsageBuilder();
      // Clocks of processes differ, so time may seem to have run backwards.
      usage.setRunningMillis(usage.getRunningMillis() + Math.max(0, now - since));
      record.getLeaseBuilder().setRunningSince(now);
    }
  }

  /** Appends an event of the task, with its next sequence. */
  public PendingEventId emit(EventDraft draft) {
    Task task = record.getTask();
    long sequence = record.getNextSequence();
    EventRecord event =
        draft
            .record(write)
            .setResourceObject("task")
            .setResourceId(task.getId())
            .setSequence(sequence)
            .setTaskId(task.getId())
            .setSessionId(task.getSessionId())
            .setWorkspaceId(task.getWorkspaceId())
            .setTerminal(TaskLifecycle.terminal(task.getStatus()))
            .build();
    record
        .setNextSequence(sequence + 1)
        .setLogDigestState(LogDigest.append(record.getLogDigestState(), event));
    record.getTotalsBuilder().setEvents(record.getTotals().getEvents() + 1);
    PendingEventId id =
        write
            .appender()
            .appendOfTask(task.getSessionId(), task.getId(), sequence, event.toByteArray());
    write.appended(id);
    return id;
  }

  /**
   * Moves the task to another state and tells it, with the members of {@code facts} beside the
   * states. Throws {@code invalid_state_transition} where the lifecycle does not allow it.
   */
  public void move(TaskStatus to, Payload facts) {
    TaskStatus from = status();
    TaskLifecycle.Transition row = TaskLifecycle.need(from, to);
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    members().setStatus(to);
    if (TaskLifecycle.terminal(to)) {
      record.clearParked();
    }
    if (to == TaskStatus.TASK_STATUS_WORKING && !record.getTask().hasStartedAt()) {
      members().setStartedAt(now);
    }
    switch (to) {
      case TASK_STATUS_COMPLETED, TASK_STATUS_FAILED -> members().setCompletedAt(now);
      case TASK_STATUS_CANCELED -> members().setCanceledAt(now);
      default -> {}
    }
    emit(
        EventDraft.of(
            row.event(),
            facts
                .text("status", TaskLifecycle.spell(to))
                .text("previous_status", TaskLifecycle.spell(from))));
  }

  /**
   * Puts the task into its agent's queue, unless it is parked: then whoever takes it over does.
   *
   * @param affinityWorkerId the process that it waits for first, which held its newest lease; empty
   *     where any will do
   * @param affinityUntil until when it waits for that process, in Unix milliseconds
   */
  public void enqueue(String affinityWorkerId, long affinityUntil) {
    if (record.hasParked()) {
      return;
    }
    String agent = record.getTask().getAssignedAgentId();
    stores
        .queue()
        .push(
            write.tr(),
            new QueuedTask(
                write.tenant(),
                id(),
                agent,
                record.getTask().getWorkspaceId(),
                affinityWorkerId,
                affinityUntil));
    record.setQueue(
        QueuePlace.newBuilder()
            .setShard(TaskQueue.shardOf(id()))
            .setAgentId(agent)
            .setAffinityWorkerId(affinityWorkerId)
            .setAffinityActor(affinityWorkerId.isEmpty() ? "" : record.getLease().getActor())
            .setAffinityUntil(affinityUntil));
  }

  /** Takes the task out of its queue, if it is in one. */
  public void dequeue() {
    if (record.hasQueue()) {
      stores.queue().remove(write.tr(), write.tenant(), id(), record.getQueue().getAgentId());
      record.clearQueue();
    }
  }

  /** Binds the task to quotas, the most specific of which comes first. */
  public void bindQuotas(List<String> quotaIds) {
    record.addAllQuotaIds(quotaIds);
    if (!quotaIds.isEmpty()) {
      members().setQuotaId(quotaIds.get(0));
    }
  }

  /** Binds the task to an agent, and emits that. */
  public void bindAgent(String agentId) {
    members().setAssignedAgentId(agentId);
    emit(EventDraft.of(EventKinds.TASK_BOUND, Payload.of().text("assigned_agent_id", agentId)));
  }

  /** Notes that the task is no longer parked: it may run here from now on. */
  public void unpark() {
    record.clearParked();
  }

  /** Notes the one question that the task waits with, by its step key. */
  public void askQuestion(String stepKey) {
    record.setQuestionStepKey(stepKey);
  }

  /** Notes that the task waits with no question any more. */
  public void closeQuestion() {
    record.setQuestionStepKey("");
  }

  /** Notes the one permission request that the task waits with. */
  public void waitForPermission(String requestId) {
    record.setPermissionRequestId(requestId);
  }

  /** Notes that the task waits with no permission request any more. */
  public void clearPermission() {
    record.setPermissionRequestId("");
  }

  /** Notes the one tool call that the task waits with. */
  public void waitForHostCall(HostCall call) {
    record.setHostCall(call);
  }

  /** Notes that the task waits with no tool call any more. */
  public void clearHostCall() {
    record.clearHostCall();
  }

  /** Gives the lease to a worker, and has the due index look at it then. */
  public void grantLease(Lease lease, long dueAt) {
    record.setLease(lease);
    scheduleLease(DueKind.LEASE, dueAt);
  }

  /** Begins the first attempt, or the one that is pending; a resumed attempt goes on. */
  public void beginAttempt() {
    if (status() == TaskStatus.TASK_STATUS_SUBMITTED) {
      record.setAttempt(1);
      move(TaskStatus.TASK_STATUS_WORKING, Payload.of().number("attempt", 1));
    } else if (record.getAttemptPending()) {
      record.setAttemptPending(false);
      emit(
          EventDraft.of(
              EventKinds.ATTEMPT_STARTED, Payload.of().number("attempt", record.getAttempt())));
    }
  }

  /** Counts an attempt that its worker lost, and returns how many were. */
  public int loseAttempt() {
    return record.setLostAttempts(record.getLostAttempts() + 1).getLostAttempts();
  }

  /** Counts an attempt that ended with its server, and returns how many did. */
  public int countRestart() {
    return record.setServerRestarts(record.getServerRestarts() + 1).getServerRestarts();
  }

  /** Queues the task for its next attempt. */
  public void enqueueNextAttempt() {
    record.setAttempt(record.getAttempt() + 1).setAttemptPending(true);
    enqueue("", 0);
  }

  /** Has the due index look at the task's lease at a time, instead of the time before. */
  public void scheduleLease(DueKind kind, long dueAt) {
    cancelDue();
    stores.due().schedule(write.tr(), new DueEntry(dueAt, kind, write.tenant(), id()));
    record.getLeaseBuilder().setDueAt(dueAt).setDueKind(kind.name());
  }

  /** Keeps the lease for a worker that holds the task's process without running it. */
  void parkLease(long until) {
    countRunning();
    record
        .getLeaseBuilder()
        .setState(LeaseState.LEASE_STATE_PARKED)
        .setHoldUntil(until)
        .clearRunningSince();
    scheduleLease(DueKind.HOLD, until);
  }

  /** Ends the lease: whoever held it is fenced off. Free leases stay free. */
  public void freeLease() {
    Lease lease = record.getLease();
    if (lease.getState() == LeaseState.LEASE_STATE_HELD
        || lease.getState() == LeaseState.LEASE_STATE_PARKED) {
      countRunning();
      cancelDue();
      stores.renewals().forget(write.tr(), write.tenant(), id(), lease.getFence());
      record.setLease(
          Lease.newBuilder()
              .setState(LeaseState.LEASE_STATE_FREE)
              .setFence(lease.getFence())
              .setActor(lease.getActor()));
    }
  }

  /** Notes that the attempt is ended by whoever holds the lease, which is about to be freed. */
  public void markEndedBy() {
    Lease lease = record.getLease();
    record.setEndedByFence(lease.getFence()).setEndedByActor(lease.getActor());
  }

  private void cancelDue() {
    Lease lease = record.getLease();
    if (lease.getDueAt() != 0) {
      stores
          .due()
          .cancel(
              write.tr(),
              new DueEntry(
                  lease.getDueAt(), DueKind.valueOf(lease.getDueKind()), write.tenant(), id()));
      record.getLeaseBuilder().setDueAt(0).setDueKind("");
    }
  }

  /** Notes why the task fails. */
  void failWith(Failure failure) {
    members().setFailure(failure);
  }

  /** Moves the task to its terminal state, with its outcome, and emits its last event. */
  void end(TaskStatus status, String outcomeId, Payload facts) {
    members().setOutcomeId(outcomeId);
    move(status, facts.text("outcome_id", outcomeId));
  }

  private Task.Builder members() {
    return record.getTaskBuilder();
  }

  /** Stores the task as it stands, and returns its record. */
  public TaskRecord save() {
    members().setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    TaskRecord after = record.build();
    stores.tasks().records().update(write.tr(), write.tenant(), id(), before, after);
    stores.quotas().settle(write, before, after);
    return after;
  }

  /** Stores a new task with its input. */
  void saveNew(TaskInput input) {
    TaskRecord made = record.build();
    RecordStore<TaskRecord> records = stores.tasks().records();
    records.insert(write.tr(), write.tenant(), id(), made);
    stores.tasks().inputs().insert(write.tr(), write.tenant(), id(), input);
    TaskStore.TASK.index(records, write.tr(), write.tenant(), made, write.order());
  }
}
