package dev.bridle.core.work.task;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.QueuePlace;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskUsage;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.RenewalStore;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;

/**
 * One task's part in a transaction: its status, events, queue entry, lease and due entries change
 * through this, and are stored together by {@link #save()}, so that no crash can leave two of them
 * apart.
 */
public final class TaskChange {
  private final Write write;
  private final TaskRooms rooms;
  private final TaskRecord before;
  private final TaskRecord.Builder record;

  TaskChange(Write write, TaskRooms rooms, TaskRecord before) {
    this.write = write;
    this.rooms = rooms;
    this.before = before;
    this.record = before.toBuilder();
  }

  /** Returns the task's record as it stands in this change. */
  public TaskRecord.Builder record() {
    return record;
  }

  /** Returns the task's members as they stand in this change. */
  public Task.Builder task() {
    return record.getTaskBuilder();
  }

  /** Returns the task's status as it stands in this change. */
  public TaskStatus status() {
    return record.getTask().getStatus();
  }

  /** Returns the task's id. */
  public String id() {
    return record.getTask().getId();
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
        rooms
            .events()
            .record(write, draft)
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
    task().setStatus(to);
    if (TaskLifecycle.terminal(to)) {
      record.clearParked();
    }
    switch (to) {
      case TASK_STATUS_COMPLETED, TASK_STATUS_FAILED -> task().setCompletedAt(now);
      case TASK_STATUS_CANCELED -> task().setCanceledAt(now);
      case TASK_STATUS_WORKING -> {
        if (!record.getTask().hasStartedAt()) {
          task().setStartedAt(now);
        }
      }
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
    rooms
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
      rooms.queue().remove(write.tr(), write.tenant(), id(), record.getQueue().getAgentId());
      record.clearQueue();
    }
  }

  /** Has the due index look at the task's lease at a time, instead of the time before. */
  public void scheduleLease(DueKind kind, long dueAt) {
    cancelDue();
    rooms.due().schedule(write.tr(), new DueEntry(dueAt, kind, write.tenant(), id()));
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
      rooms.renewals().forget(write.tr(), write.tenant(), id(), lease.getFence());
      record.setLease(
          Lease.newBuilder()
              .setState(LeaseState.LEASE_STATE_FREE)
              .setFence(lease.getFence())
              .setActor(lease.getActor()));
    }
  }

  /** Notes that the attempt is ended by whoever holds the lease, which is about to be freed. */
  public void endedByHolder() {
    Lease lease = record.getLease();
    record.setEndedByFence(lease.getFence()).setEndedByActor(lease.getActor());
  }

  private void cancelDue() {
    Lease lease = record.getLease();
    if (lease.getDueAt() != 0) {
      rooms
          .due()
          .cancel(
              write.tr(),
              new DueEntry(
                  lease.getDueAt(), DueKind.valueOf(lease.getDueKind()), write.tenant(), id()));
      record.getLeaseBuilder().setDueAt(0).setDueKind("");
    }
  }

  /** Stores the task as it stands, and returns its record. */
  public TaskRecord save() {
    task().setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    TaskRecord after = record.build();
    rooms.tasks().update(write, before, after);
    rooms.quotas().settle(write, before, after);
    return after;
  }

  /** Stores a new task with its input, and returns its record. */
  TaskRecord saveNew(TaskInput input) {
    TaskRecord made = record.build();
    rooms.tasks().insert(write, made, input);
    return made;
  }

  /**
   * Where the parts of a task are kept.
   *
   * @param tasks the records
   * @param events the log
   * @param queue the queue
   * @param due what is due when
   * @param renewals heartbeats
   * @param quotas what quotas say and count
   */
  public record TaskRooms(
      TaskStore tasks,
      Events events,
      TaskQueue queue,
      DueIndex due,
      RenewalStore renewals,
      TaskQuotas quotas) {

    /** Begins to change a task. */
    public TaskChange change(Write write, TaskRecord before) {
      return new TaskChange(write, this, before);
    }
  }
}
