package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.work.agent.WorkerStore;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.permission.PendingPermission;
import dev.bridle.core.work.replay.ReplayWait;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.Parked;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.TaskStatus;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Takes over tasks that were not terminal when they were imported. Until then they are parked: they
 * keep their status and can be read, answered and canceled, but are not queued, since they may
 * still run on the server that they were exported from.
 */
public final class ParkedTasks {
  private static final Failure IMPORTED =
      Failure.newBuilder()
          .setCode("imported")
          .setMessage("The task was taken over from another server while a worker held it there.")
          .build();

  private final Commands commands;
  private final TaskStores stores;
  private final Configurations configurations;
  private final PendingPermission pending;
  private final HostCalls hostCalls;
  private final LostAttempts lost;
  private final ReplayWait wait;

  ParkedTasks(
      Commands commands,
      TaskStores stores,
      Configurations configurations,
      PendingPermission pending,
      HostCalls hostCalls,
      LostAttempts lost,
      ReplayWait wait) {
    this.commands = commands;
    this.stores = stores;
    this.configurations = configurations;
    this.pending = pending;
    this.hostCalls = hostCalls;
    this.lost = lost;
    this.wait = wait;
  }

  /**
   * Takes over a task, if it is parked.
   *
   * @param needed throws where it may not be, in the same transaction
   * @return whether it was
   */
  public boolean takeOver(
      String tenant, String actor, String task, Consumer<ReadTransaction> needed) {
    return commands.once(
        tenant,
        actor,
        write -> {
          needed.accept(write.tr());
          Optional<TaskRecord> before =
              stores.tasks().find(write.tr(), tenant, task).filter(TaskRecord::hasParked);
          if (before.isEmpty()) {
            return false;
          }
          TaskChange change = stores.change(write, before.get());
          Parked parked = before.get().getParked();
          change.unpark();
          unpark(change, parked, configurations.of(write.tr(), tenant));
          change.save();
          return true;
        });
  }

  private void unpark(TaskChange change, Parked parked, Configuration configuration) {
    if (!change.task().hasReplay()) {
      stores.quotas().adopt(change, configuration);
    }
    if (change.record().getCancelRequestedAt() != 0) {
      lost.canceled(change);
      return;
    }
    if (change.status() != TaskStatus.TASK_STATUS_SUBMITTED
        && change.status() != TaskStatus.TASK_STATUS_WORKING) {
      pending.takeOver(change);
      hostCalls.takeOver(change);
      return; // It waits for an answer, which queues it.
    }
    bind(change, configuration);
    if (parked.getRunning()) {
      lost.voided(change, IMPORTED);
    } else {
      change.enqueue("", 0);
      wait.begin(change);
    }
  }

  private static void bind(TaskChange change, Configuration configuration) {
    if (change.task().hasAssignedAgentId()) {
      return;
    }
    String workspace = change.task().getWorkspaceId();
    WorkerStore.bind(configuration, workspace, Optional.empty()).ifPresent(change::bindAgent);
  }
}
