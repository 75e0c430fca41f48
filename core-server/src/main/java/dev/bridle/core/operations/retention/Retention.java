package dev.bridle.core.operations.retention;

import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops events beyond retention, tenant by tenant, and completes tenant deletions that a crash has
 * interrupted.
 */
public final class Retention {
  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  /** The ratio of the pause after a round to the round's duration. */
  private static final int REST = 20;

  private final KeyValueStore store;
  private final Installation installation;
  private final Tenants tenants;
  private final TenantDeletion deletion;
  private final EventSweep events;
  private final Clock clock;
  private final CoalescingTask rounds;
  private final LongSupplier nanoTime;
  private volatile long restsUntilNanos;

  public Retention(CoreContext context, Tenants tenants, TenantDeletion deletion) {
    this.store = context.store();
    this.installation = context.installation();
    this.tenants = tenants;
    this.deletion = deletion;
    this.events = new EventSweep(context.store(), context.log(), new TaskStore(context.layout()));
    this.clock = context.clock();
    this.nanoTime = context.environment().nanoTime();
    this.restsUntilNanos = context.environment().nanoTime().getAsLong();
    this.rounds =
        new CoalescingTask(
            context.environment().background(),
            this::round,
            failure -> log.warn("Dropping old events failed; retrying soon.", failure));
  }

  /** Runs rounds at an interval, until {@code timer} is shut down. */
  public void start(ScheduledExecutorService timer, Duration interval) {
    Periodic.everyFromNow(timer, interval, "Removing what is old", rounds::schedule);
  }

  private boolean round() {
    if (nanoTime.getAsLong() - restsUntilNanos < 0) {
      return false;
    }
    long began = nanoTime.getAsLong();
    sweepAll();
    long ended = nanoTime.getAsLong();
    restsUntilNanos = ended + (ended - began) * REST;
    return false;
  }

  private void sweepAll() {
    String last = "";
    Optional<String> tenant = after(last);
    while (tenant.isPresent()) {
      last = tenant.get();
      sweep(last);
      tenant = after(last);
    }
  }

  private Optional<String> after(String tenant) {
    return store.read(tr -> installation.tenantAfter(tr, tenant));
  }

  private void sweep(String tenant) {
    Optional<TenantRecord> record = store.read(tr -> tenants.record(tr, tenant));
    if (record.isEmpty()) {
      return;
    }
    if (record.get().getDeletingAt() != 0) {
      deletion.finish(tenant);
      log.info("Tenant {} is deleted.", tenant);
      return;
    }
    int dropped = events.sweep(tenant, record.get().getRetention(), clock.millis());
    if (dropped > 0) {
      log.info("Dropped {} events of tenant {} beyond its retention.", dropped, tenant);
    }
  }
}
