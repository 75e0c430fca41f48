package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.QueuePlace;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.QueueRows;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import java.util.List;
import java.util.Optional;

/**
 * Checks that a task that waits in a queue has the place and the entry that its record requires.
 */
final class QueuePlaceCheck implements TasksCheck.TaskCheck {
  private final CheckScope scope;
  private final QueueRows queue;
  private final Records records;

  QueuePlaceCheck(CheckScope scope) {
    this.scope = scope;
    this.queue = new QueueRows(scope.layout());
    this.records = new Records(scope.rows(), scope.tenant());
  }

  @Override
  public void check(ReadTransaction tr, TaskRecord task, List<Fault> faults) {
    String wrong = wrong(tr, task);
    if (wrong.isEmpty()) {
      return;
    }
    String id = task.getTask().getId();
    faults.add(
        Fault.of(FaultKind.QUEUE_WRONG, scope.tenant(), id, wrong)
            .repairedBy(
                again -> record(again, id).filter(is -> !wrong(again, is).isEmpty()).isPresent(),
                again -> record(again, id).ifPresent(is -> mend(again, is))));
  }

  private Optional<TaskRecord> record(ReadTransaction tr, String id) {
    return records.find(tr, TaskStore.TASK, id);
  }

  private String wrong(ReadTransaction tr, TaskRecord task) {
    String id = task.getTask().getId();
    Optional<byte[]> place = queue.place(tr, scope.tenant(), id);
    if (!task.hasQueue()) {
      return place.isEmpty() ? "" : "The task is not in a queue, but a place in one is stored.";
    }
    if (place.isEmpty()) {
      return "The task is in a queue, but its place there is not stored.";
    }
    QueuePlace recorded = task.getQueue();
    if (recorded.getShard() != TaskQueue.shardOf(id)) {
      return "The task says that it waits in shard "
          + recorded.getShard()
          + ", which is not its own.";
    }
    Optional<QueuedTask> entry =
        queue.entry(tr, scope.tenant(), id, recorded.getAgentId(), place.get());
    if (entry.isEmpty()) {
      return "The task waits in the queue of '"
          + recorded.getAgentId()
          + "', but has no entry there, so no worker gets it.";
    }
    boolean same =
        entry.get().affinityWorkerId().equals(recorded.getAffinityWorkerId())
            && entry.get().affinityUntil() == recorded.getAffinityUntil();
    return same ? "" : "The task's entry in the queue waits for another worker than it says.";
  }

  private void mend(Transaction tr, TaskRecord task) {
    String id = task.getTask().getId();
    TaskQueue tasks = new TaskQueue(scope.layout());
    tasks
        .place(tr, scope.tenant(), id)
        .ifPresent(place -> tasks.remove(tr, place, task.getQueue().getAgentId()));
    if (task.hasQueue()) {
      QueuePlace recorded = task.getQueue();
      tasks.push(
          tr,
          new QueuedTask(
              scope.tenant(),
              id,
              recorded.getAgentId(),
              task.getTask().getWorkspaceId(),
              recorded.getAffinityWorkerId(),
              recorded.getAffinityUntil()));
    }
  }
}
