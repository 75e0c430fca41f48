package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.due.DueHandler;
import dev.bridle.core.work.task.DueTasks;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.Lease;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.worker.v1.LeaseState;
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
  private final TaskOptions options;
  private final LeaseWatch watch;

  LeaseExpiry(
      CoreContext context,
      TaskStores stores,
      LostAttempts lost,
      TaskEndings endings,
      TaskOptions options) {
    this.context = context;
    this.stores = stores;
    this.tasks = new DueTasks(context.commands(), stores);
    this.lost = lost;
    this.endings = endings;
    this.options = options;
    this.watch = new LeaseWatch(options.leaseTime());
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
    Optional<Seen> seen =
        context
            .store()
            .read(
                tr ->
                    stores
                        .tasks()
                        .find(tr, entry.tenant(), entry.id())
                        .map(
                            record ->
                                new Seen(
                                    record.getLease().getFence(),
                                    stores
                                        .renewals()
                                        .renewals(
                                            tr,
                                            entry.tenant(),
                                            entry.id(),
                                            record.getLease().getFence()))));
    boolean expired =
        seen.isPresent()
            && watch.isExpired(
                entry.id(),
                seen.get().fence(),
                seen.get().renewals(),
                context.environment().nanoTime().getAsLong());
    tasks.change(
        entry,
        change -> {
          Lease lease = change.record().getLease();
          long renewals =
              stores
                  .renewals()
                  .renewals(change.write().tr(), entry.tenant(), entry.id(), lease.getFence());
          boolean same =
              seen.isPresent() && seen.get().equals(new Seen(lease.getFence(), renewals));
          if (expired && same) {
            lost.lose(change, cause());
          } else {
            continueLease(change);
          }
        });
    if (expired) {
      watch.forget(entry.id());
    }
  }

  /** Checks a running task again after a lease time, unless a quota is used up. */
  private void continueLease(TaskChange change) {
    change.countRunning();
    Optional<Failure> breach = stores.quotas().breach(change, TaskQuotas.Step.GO_ON);
    if (breach.isPresent()) {
      lost.refused(change, breach.get());
    } else {
      change.scheduleLease(
          DueKind.LEASE, change.write().nowMillis() + options.leaseTime().toMillis());
    }
  }

  /** The fencing token and heartbeat count of a lease at one read. */
  private record Seen(long fence, long renewals) {}

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
