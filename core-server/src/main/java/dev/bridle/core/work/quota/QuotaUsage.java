package dev.bridle.core.work.quota;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.quota.v1.Quota;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.UsageStore;
import dev.bridle.storage.layer.UsageStore.Counted;
import java.util.Optional;

/**
 * Counts the usage of quotas. Counting does not conflict while usage is far below the limit; near
 * it, it does, so that the limit is exact.
 */
final class QuotaUsage {
  /** An upper bound of concurrent counts between a read and its commit. */
  private static final long MARGIN = 1000;

  private final UsageStore store;
  private final Events events;

  QuotaUsage(KeyLayout layout, Events events) {
    this.store = new UsageStore(layout);
    this.events = events;
  }

  /** Returns the usage at the read version. */
  long used(ReadTransaction tr, String tenant, Quota quota, Measure measure, long now) {
    return store.sum(tr, tenant, counted(quota, measure, now));
  }

  /** Returns the usage; read with a conflict if {@code step} more might reach the limit. */
  long usedBefore(Write write, Quota quota, Measure measure, long ceiling, long step) {
    Counted counted = counted(quota, measure, write.nowMillis());
    long seen = store.sum(write.tr().snapshot(), write.tenant(), counted);
    boolean near = seen < ceiling && (ceiling - seen) / MARGIN <= step;
    return near ? store.sum(write.tr(), write.tenant(), counted) : seen;
  }

  /**
   * Adds to the usage, and emits an event if it reaches the limit.
   *
   * @param by the task that causes the usage
   */
  void add(Write write, Quota quota, Measure measure, String by, long amount) {
    if (amount == 0) {
      return;
    }
    Counted counted = counted(quota, measure, write.nowMillis());
    Optional<Long> ceiling = measure.ceiling(quota).filter(any -> measure.grows());
    if (ceiling.isPresent()) {
      long before = usedBefore(write, quota, measure, ceiling.get(), amount);
      if (before < ceiling.get() && before + amount >= ceiling.get()) {
        emitReached(write, quota, measure, before + amount);
      }
    }
    if (measure == Measure.REQUESTS) {
      store.forgetBefore(write.tr(), write.tenant(), counted);
    }
    store.add(write.tr(), write.tenant(), counted, by, amount);
  }

  /** Deletes the usage before the current period. */
  void forgetEarlier(Write write, Quota quota) {
    for (Measure measure : Measure.values()) {
      store.forgetBefore(write.tr(), write.tenant(), counted(quota, measure, write.nowMillis()));
    }
  }

  private void emitReached(Write write, Quota quota, Measure measure, long used) {
    events.ofTenant(
        write,
        QuotaStore.QUOTA.name(),
        quota.getId(),
        EventDraft.of(
            EventKinds.QUOTA_REACHED,
            Payload.of()
                .text("limit", measure.limit())
                .fraction("allowed", quota.getLimitsOrThrow(measure.limit()))
                .fraction("used", measure.toLimitUnit(used))
                .flag("hard_limit", quota.getHardLimit())));
  }

  private static Counted counted(Quota quota, Measure measure, long now) {
    return new Counted(quota.getId(), measure.limit(), measure.period(quota, now));
  }
}
