package dev.bridle.core.work.task;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.QueuePlace;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import java.time.Duration;

/** A task's place in the queue of its agent, which a {@link TaskChange} changes. */
final class TaskPlace {
  private final Write write;
  private final TaskStores stores;
  private final TaskRecord.Builder record;

  TaskPlace(Write write, TaskStores stores, TaskRecord.Builder record) {
    this.write = write;
    this.stores = stores;
    this.record = record;
  }

  void enter(String affinityWorkerId, long affinityUntil) {
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

  void waitAtMost(Duration time) {
    if (record.hasQueue()) {
      long now = write.nowMillis();
      long until = now + time.toMillis();
      record.getQueueBuilder().setWaitsSince(now).setWaitsUntil(until);
      stores.due().schedule(write.tr(), due(until));
    }
  }

  void leave() {
    if (record.hasQueue()) {
      stores.queue().place(write.tr(), write.tenant(), id()).ifPresent(this::leave);
      clear();
    }
  }

  void leave(TaskQueue.Place place) {
    stores.queue().remove(write.tr(), place, record.getQueue().getAgentId());
    clear();
  }

  private void clear() {
    long until = record.getQueue().getWaitsUntil();
    if (until != 0) {
      stores.due().cancel(write.tr(), due(until));
    }
    record.clearQueue();
  }

  private DueEntry due(long at) {
    return new DueEntry(at, DueKind.REPLAY_WORKER, write.tenant(), id());
  }

  private String id() {
    return record.getTask().getId();
  }
}
