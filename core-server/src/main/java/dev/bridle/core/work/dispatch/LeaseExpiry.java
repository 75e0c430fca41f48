package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.due.DueHandler;
import dev.bridle.core.work.dispatch.LeaseWatch.Beat;
import dev.bridle.core.work.task.DueTasks;
import dev.bridle.core.work.task.LeaseTimes;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.worker.v1.LeaseState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Expires leases without heartbeats, cancellations past their grace period, and holds past their
 * time.
 */
final class LeaseExpiry {
  private final CoreContext context;
  private final TaskStores stores;
  private final DueTasks tasks;
  private final LostAttempts lost;
  private final TaskEndings endings;
  private final LeaseTimes times;
  private final LeaseWatch watch;

  LeaseExpiry(CoreContext context, TaskStores stores, LostAttempts lost, TaskEndings endings) {
    this.context = context;
    this.stores = stores;
    this.tasks = new DueTasks(context.commands(), stores);
    this.lost = lost;
    this.endings = endings;
    this.times = context.settings(LeaseTimes.class);
    this.watch = new LeaseWatch(times);
  }

  /** Returns the handlers of leases' due entries. */
  Map<DueKind, DueHandler> handlers() {
    return Map.of(
        DueKind.LEASE,
        this::lease,
        DueKind.CANCEL,
        entry -> tasks.change(entry, this::cancel),
        DueKind.HOLD,
        entry -> tasks.change(entry, TaskChange::freeLease));
  }

  /**
   * Restarts the lease time of all leases, after a time in which heartbeats could not be stored.
   */
  void forgetMissedHeartbeats() {
    watch.forgetAll();
  }

  private void lease(DueEntry entry) {
    long now = context.environment().nanoTime().getAsLong();
    Optional<Beats> found = context.store().read(tr -> beats(tr, entry));
    if (found.isEmpty()) {
      tasks.change(entry, change -> {}); // Removes the entry, which is stale.
      watch.forget(entry.id());
      return;
    }
    Beat last = found.get().last();
    switch (watch.look(entry.id(), last, found.get().putOff(), entry.dueMillis(), now)) {
      case STAYS_DUE -> {}
      case LATER -> {
        Duration next = watch.untilCheck(entry.id(), now);
        tasks.change(entry, change -> continueLease(change, last, next));
      }
      case EXPIRED -> {
        tasks.change(entry, change -> expire(change, last));
        watch.forget(entry.id());
      }
    }
  }

  /**
   * Heartbeats of a lease.
   *
   * @param last the last one
   * @param putOff the last one when the lease was put off
   */
  private record Beats(Beat last, Beat putOff) {}

  /** Returns the heartbeats of the lease that an entry is about; empty if there is none now. */
  private Optional<Beats> beats(ReadTransaction tr, DueEntry entry) {
    return stores
        .tasks()
        .find(tr, entry.tenant(), entry.id())
        .filter(record -> TaskStore.TASK.isDue(record, entry))
        .map(TaskRecord::getLease)
        .map(
            lease ->
                new Beats(
                    lastBeat(tr, entry.tenant(), entry.id(), lease),
                    new Beat(lease.getLookedFence(), lease.getLookedRenewals())));
  }

  private Beat lastBeat(ReadTransaction tr, String tenant, String task, Lease lease) {
    long fence = lease.getFence();
    return new Beat(fence, stores.renewals().renewals(tr, tenant, task, fence));
  }

  /** Gives a lease up, unless a heartbeat has come just now. */
  private void expire(TaskChange change, Beat seen) {
    Write write = change.write();
    Beat last = lastBeat(write.tr(), write.tenant(), change.id(), change.record().getLease());
    if (last.equals(seen)) {
      lost.lose(change, cause());
    } else {
      continueLease(change, last, times.check());
    }
  }

  /** Checks a running task again after a while, unless a quota is used up. */
  private void continueLease(TaskChange change, Beat last, Duration next) {
    change.countRunning();
    Optional<Failure> breach = stores.quotas().breach(change, TaskQuotas.Step.GO_ON);
    if (breach.isPresent()) {
      lost.refused(change, breach.get());
    } else {
      change.scheduleLease(DueKind.LEASE, change.write().nowMillis() + next.toMillis());
      change.lookedAt(last.fence(), last.renewals());
    }
  }

  private static Failure cause() {
    return Failure.newBuilder()
        .setCode("lease_expired")
        .setMessage("The worker sent no heartbeat for a whole lease time.")
        .build();
  }

  private void cancel(TaskChange change) {
    if (change.record().getLease().getState() == LeaseState.LEASE_STATE_HELD) {
      endings.cancel(change);
    }
  }
}
