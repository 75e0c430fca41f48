package dev.bridle.core.work.task;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.record.v1.TaskUsage;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskOrBuilder;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.HandlerInfo;
import dev.bridle.worker.v1.LeaseState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Changes one task in a transaction; {@link #save()} stores all of it. Not thread-safe. */
public final class TaskChange {
  private final Write write;
  private final TaskStores stores;
  private final TaskRecord before;
  private final TaskRecord.Builder record;
  private ByteString newestCommitment = ByteString.EMPTY;

  TaskChange(Write write, TaskStores stores, TaskRecord before) {
    this.write = write;
    this.stores = stores;
    this.before = before;
    this.record = before.toBuilder();
  }

  /** Returns the task's record in this change, read-only. */
  public TaskRecordOrBuilder record() {
    return record;
  }

  /** Returns the task's members in this change, read-only. */
  public TaskOrBuilder task() {
    return record.getTaskBuilder();
  }

  /** Returns the task's status in this change. */
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

  /** Returns the task's record as it was when this change began. */
  public TaskRecord before() {
    return before;
  }

  /** Marks the task's cancellation as requested. */
  void requestCancel(String reason) {
    record.setCancelRequestedAt(write.nowMillis()).setCancelReason(reason);
  }

  /** Returns what counts the task's messages, artifacts, dependencies and usage in this change. */
  public TaskCounts counts() {
    return new TaskCounts(record);
  }

  /** Returns the messages that wait for the task's worker, as this change changes them. */
  public TaskInbox inbox() {
    return new TaskInbox(record);
  }

  /** Returns what keeps the facts for the task's receipt in this change. */
  public TaskFacts facts() {
    return new TaskFacts(write, stores.facts(), record);
  }

  /**
   * Returns the commitment of the newest event that this change emitted; empty before the first.
   */
  public ByteString newestCommitment() {
    return newestCommitment;
  }

  /** Records the autonomy tier of a ruling about an action of the task. */
  public void ruledUnder(AutonomyTier tier) {
    record.setRuledTier(tier);
  }

  /** Marks that the task has recorded steps, for later runs of its handler. */
  void recordStep() {
    record.setHasSteps(true);
  }

  /** Adds the running time since it was last counted. */
  public void countRunning() {
    long since = record.getLease().getRunningSince();
    if (since != 0) {
      long now = write.nowMillis();
      TaskUsage.Builder usage = record.getUsageBuilder();
      // Clocks of processes differ, so the difference may be negative.
      usage.setRunningMillis(usage.getRunningMillis() + Math.max(0, now - since));
      record.getLeaseBuilder().setRunningSince(now);
    }
  }

  /** Appends an event of the task with its next sequence number. */
  public PendingEventId emit(EventDraft draft) {
    Task task = record.getTask();
    long sequence = record.getNextSequence();
    EventRecord event = TaskEvents.of(record, draft.record(write));
    newestCommitment = event.getCommitment();
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
   * Moves the task to another state and emits the transition's event, with {@code facts} and both
   * states. Throws {@code invalid_state_transition} if the lifecycle does not allow it.
   */
  public void move(TaskStatus to, Payload facts) {
    emit(moved(to, facts));
  }

  private EventDraft moved(TaskStatus to, Payload facts) {
    TaskStatus from = status();
    TaskLifecycle.Transition row = TaskLifecycle.need(from, to);
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    members().setStatus(to);
    if (TaskLifecycle.terminal(to)) {
      record.clearParked().clearInbox();
    }
    if (to == TaskStatus.TASK_STATUS_WORKING && !record.getTask().hasStartedAt()) {
      members().setStartedAt(now);
    }
    switch (to) {
      case TASK_STATUS_COMPLETED, TASK_STATUS_FAILED -> members().setCompletedAt(now);
      case TASK_STATUS_CANCELED -> members().setCanceledAt(now);
      default -> {}
    }
    return EventDraft.of(
        row.event(),
        facts
            .text("status", TaskLifecycle.spell(to))
            .text("previous_status", TaskLifecycle.spell(from)));
  }

  /**
   * Puts the task into its agent's queue, unless it is parked: then the takeover queues it.
   *
   * @param affinityWorkerId the worker process that is preferred, which held its newest lease;
   *     empty: any
   * @param affinityUntil until when only that process may take it, in Unix milliseconds
   */
  public void enqueue(String affinityWorkerId, long affinityUntil) {
    place().enter(affinityWorkerId, affinityUntil);
  }

  /** Bounds the wait in the queue, if the task is in it. Until it leaves, it has a due entry. */
  public void waitAtMost(Duration time) {
    place().waitAtMost(time);
  }

  /** Removes the task from its queue, if it is queued. */
  public void dequeue() {
    place().leave();
  }

  /** Removes the task from its queue, at its place. */
  public void dequeue(TaskQueue.Place place) {
    place().leave(place);
  }

  private TaskPlace place() {
    return new TaskPlace(write, stores, record);
  }

  /** Binds the task to quotas, the most specific one first. */
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

  /** Lets the next agent that fits have the task, which emits that it is bound. */
  public void unbindAgent() {
    members().clearAssignedAgentId();
  }

  /** Clears the parked mark: the task may run here from now on. */
  public void unpark() {
    record.clearParked();
  }

  /** Returns what the task waits for. */
  public TaskWaits waits() {
    return new TaskWaits(record);
  }

  /**
   * Grants the lease to a worker, and schedules its expiry check.
   *
   * @param handler what the worker declares about its handler
   */
  public void grantLease(Lease lease, Optional<HandlerInfo> handler, long dueAt) {
    record.setLease(lease).clearHandler();
    handler.ifPresent(record::setHandler);
    scheduleLease(DueKind.LEASE, dueAt);
  }

  /** Begins the first or the pending attempt of the lease's worker; a resumed one continues. */
  public void beginAttempt() {
    String worker = record.getLease().getActor();
    if (status() == TaskStatus.TASK_STATUS_SUBMITTED) {
      record.setAttempt(1);
      emit(moved(TaskStatus.TASK_STATUS_WORKING, Payload.of().number("attempt", 1)).by(worker));
    } else if (record.getAttemptPending()) {
      record.setAttemptPending(false);
      Payload facts = Payload.of().number("attempt", record.getAttempt());
      emit(EventDraft.of(EventKinds.ATTEMPT_STARTED, facts).by(worker));
    }
  }

  /** Counts a lost attempt, and returns the number of lost attempts. */
  public int loseAttempt() {
    return record.setLostAttempts(record.getLostAttempts() + 1).getLostAttempts();
  }

  /** Counts an attempt that ended with its server, and returns the number of these. */
  public int countRestart() {
    return record.setServerRestarts(record.getServerRestarts() + 1).getServerRestarts();
  }

  /** Forgets the attempts that were lost: what comes is another's work. */
  public void forgetLostAttempts() {
    record.clearLostAttempts().clearServerRestarts();
  }

  /** Queues the task for its next attempt. */
  public void enqueueNextAttempt() {
    record.setAttempt(record.getAttempt() + 1).setAttemptPending(true);
    enqueue("", 0);
  }

  /** Schedules the task's lease in the due index, replacing its earlier entry. */
  public void scheduleLease(DueKind kind, long dueAt) {
    cancelDue();
    stores.due().schedule(write.tr(), new DueEntry(dueAt, kind, write.tenant(), id()));
    record.getLeaseBuilder().setDueAt(dueAt).setDueKind(kind.name());
  }

  /** Notes with which heartbeat a look at the lease has put it off. */
  public void lookedAt(long fence, long renewals) {
    record.getLeaseBuilder().setLookedFence(fence).setLookedRenewals(renewals);
  }

  /** Parks the lease for a worker that keeps the task's process without running it. */
  void parkLease(long until) {
    countRunning();
    record
        .getLeaseBuilder()
        .setState(LeaseState.LEASE_STATE_PARKED)
        .setHoldUntil(until)
        .clearRunningSince();
    scheduleLease(DueKind.HOLD, until);
  }

  /** Makes a parked lease a held one again, with the same fencing token. Schedules nothing. */
  void takeUpLease() {
    record
        .getLeaseBuilder()
        .setState(LeaseState.LEASE_STATE_HELD)
        .clearHoldUntil()
        .setRunningSince(write.nowMillis());
  }

  /** Frees the lease: its holder is fenced off. Free leases stay free. */
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
              .setActor(lease.getActor())
              .setRunFence(lease.getRunFence())
              .setTakesMessages(lease.getTakesMessages()));
    }
  }

  /** Records the current lease holder as the one that ended the attempt. */
  public void markEndedBy() {
    Lease lease = record.getLease();
    record.setEndedByFence(lease.getFence()).setEndedByActor(lease.getActor());
  }

  /** Records that the agent has acted otherwise than a request or a standing grant has allowed. */
  public void markActedDifferently(String approvalId) {
    record.addActedDifferently(approvalId);
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

  /** Sets the task's failure. */
  void failWith(Failure failure) {
    members().setFailure(failure);
  }

  /** Names the receipt of an ended task. */
  public void nameReceipt(String receiptId) {
    members().setReceiptId(receiptId);
  }

  /** Moves the task to its terminal state, with its outcome, and emits its last event. */
  void end(TaskStatus status, String outcomeId, Payload facts) {
    members().setOutcomeId(outcomeId);
    move(status, facts.text("outcome_id", outcomeId));
  }

  private Task.Builder members() {
    return record.getTaskBuilder();
  }

  /** Stores the task, and returns its record. */
  public TaskRecord save() {
    members().setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    TaskRecord after = record.build();
    stores.tasks().records().update(write.tr(), write.tenant(), id(), before, after);
    stores.quotas().settle(write, before, after);
    return after;
  }

  /** Stores a new task with its input, and returns its record. */
  public TaskRecord saveNew(TaskInput input) {
    TaskRecord made = record.build();
    RecordStore<TaskRecord> records = stores.tasks().records();
    records.insert(write.tr(), write.tenant(), id(), made);
    stores.tasks().inputs().insert(write.tr(), write.tenant(), id(), input);
    TaskStore.TASK.index(records, write.tr(), write.tenant(), made, write.order());
    return made;
  }
}
