package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.TokenChecked;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.work.artifact.ArtifactUploads;
import dev.bridle.core.work.hosttool.HostTimeouts;
import dev.bridle.core.work.permission.Expiry;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.worker.v1.LeaseState;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after what is due: leases that went quiet, cancellations and holds that ran out, records
 * that may go.
 */
final class Sweeper {
  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
  private static final int BATCH = 200;
  private static final String ACTOR = "bridle";
  private static final Duration STALL = Duration.ofSeconds(2);

  private final KeyValueStore store;
  private final Commands commands;
  private final TaskStores stores;
  private final LostAttempts lost;
  private final TaskEndings endings;
  private final IdempotencyStore idempotency;
  private final ArtifactUploads uploads;
  private final Expiry permissions;
  private final HostTimeouts hostTimeouts;
  private final Map<DueKind, Consumer<DueEntry>> others;
  private final TaskOptions options;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final LeaseWatch watch;

  /** What is known to fail. One thread sweeps. */
  private final Set<DueEntry> poisoned = new HashSet<>();

  Sweeper(
      KeyValueStore store,
      Commands commands,
      TaskStores stores,
      LostAttempts lost,
      TaskEndings endings,
      IdempotencyStore idempotency,
      ArtifactUploads uploads,
      Expiry permissions,
      HostTimeouts hostTimeouts,
      Map<DueKind, Consumer<DueEntry>> others,
      TaskOptions options,
      Clock clock,
      LongSupplier nanoTime) {
    this.store = store;
    this.commands = commands;
    this.stores = stores;
    this.lost = lost;
    this.endings = endings;
    this.idempotency = idempotency;
    this.uploads = uploads;
    this.permissions = permissions;
    this.hostTimeouts = hostTimeouts;
    this.others = Map.copyOf(others);
    this.options = options;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.watch = new LeaseWatch(options.leaseTime());
  }

  /** Looks at everything that is due now, once. */
  void sweep() {
    for (int shard = 0; shard < DueIndex.SHARDS; shard++) {
      int at = shard;
      List<DueEntry> entries = store.read(tr -> stores.due().due(tr, at, clock.millis(), BATCH));
      for (DueEntry entry : entries) {
        handle(entry);
      }
    }
  }

  private void handle(DueEntry entry) {
    long began = nanoTime.getAsLong();
    try {
      switch (entry.kind()) {
        case LEASE -> lease(entry);
        case CANCEL -> onTask(entry, this::cancel);
        case HOLD -> onTask(entry, TaskChange::freeLease);
        case IDEMPOTENCY -> forget(entry);
        case UPLOAD -> uploads.expire(entry);
        case PERMISSION -> permissions.expire(entry);
        case HOST_TOOL -> hostTimeouts.expire(entry);
        case DELIVERY, SCHEDULE, WEBHOOK, POLL, MEMORY -> others.get(entry.kind()).accept(entry);
      }
    } catch (StoreException e) {
      FailureLog.warn(log, "A due " + entry.kind() + " stays due; it could not be handled.", e);
      if (e.code() == StoreException.Code.DISK_LOW) {
        watch.forgetAll(); // Heartbeats were refused just so.
      }
    } catch (RuntimeException e) {
      // Whatever it is, it must not keep all that is due behind it; nor fill the log at each sweep.
      if (poisoned.size() < BATCH && poisoned.add(entry)) {
        log.error("{} stays due, and fails unexpectedly.", entry, e);
      }
    }
    if (nanoTime.getAsLong() - began > STALL.toNanos()) {
      watch.forgetAll(); // No heartbeat could be stored either.
    }
  }

  private void lease(DueEntry entry) {
    Optional<Seen> seen =
        store.read(
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
    boolean quiet =
        seen.isPresent()
            && watch.quiet(
                entry.id(), seen.get().fence(), seen.get().renewals(), nanoTime.getAsLong());
    onTask(
        entry,
        change -> {
          Lease lease = change.record().getLease();
          long renewals =
              stores
                  .renewals()
                  .renewals(change.write().tr(), entry.tenant(), entry.id(), lease.getFence());
          boolean same =
              seen.isPresent() && seen.get().equals(new Seen(lease.getFence(), renewals));
          if (quiet && same) {
            lost.lose(change, cause());
          } else {
            goOn(change);
          }
        });
    if (quiet) {
      watch.forget(entry.id());
    }
  }

  /** Looks at a running task again in a lease time, unless a quota of time is used up. */
  private void goOn(TaskChange change) {
    change.countRunning();
    Optional<Failure> breach = stores.quotas().breach(change, TaskQuotas.Step.GO_ON);
    if (breach.isPresent()) {
      lost.refused(change, breach.get());
    } else {
      change.scheduleLease(
          DueKind.LEASE, change.write().nowMillis() + options.leaseTime().toMillis());
    }
  }

  /** What a lease showed at a glance. */
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

  /** Changes the task of an entry that is still the task's own; removes an entry that is not. */
  private void onTask(DueEntry entry, Consumer<TaskChange> work) {
    commands.fenced(
        TokenChecked.SWEEP,
        entry.tenant(),
        ACTOR,
        write -> {
          Optional<TaskRecord> before = stores.tasks().find(write.tr(), entry.tenant(), entry.id());
          if (before.isEmpty() || !owns(before.get(), entry)) {
            stores.due().cancel(write.tr(), entry);
            return false;
          }
          TaskChange change = stores.change(write, before.get());
          work.accept(change);
          change.save();
          return true;
        });
  }

  private static boolean owns(TaskRecord record, DueEntry entry) {
    Lease lease = record.getLease();
    return lease.getDueAt() == entry.dueMillis() && lease.getDueKind().equals(entry.kind().name());
  }

  private void forget(DueEntry entry) {
    commands.fenced(
        TokenChecked.FORGET_COMMAND,
        entry.tenant(),
        ACTOR,
        (Write write) -> {
          idempotency.forget(write.tr(), entry.tenant(), entry.id());
          stores.due().cancel(write.tr(), entry);
          return true;
        });
  }
}
