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
 * Counts what is used of quotas. Those who count do not conflict while the ceiling is far; near it
 * they do, so that it holds to the last one.
 */
final class QuotaUsage {
  /** More counts than ever are under way at once between a read and its commit. */
  private static final long MARGIN = 1000;

  private final UsageStore store;
  private final Events events;

  QuotaUsage(KeyLayout layout, Events events) {
    this.store = new UsageStore(layout);
    this.events = events;
  }

  /** Returns what has been used, as it was at the read. */
  long used(ReadTransaction tr, String tenant, Quota quota, Measure measure, long now) {
    return store.sum(tr, tenant, counted(quota, measure, now));
  }

  /** Returns what has been used, exactly where {@code step} more might reach the ceiling. */
  long usedBefore(Write write, Quota quota, Measure measure, long ceiling, long step) {
    Counted counted = counted(quota, measure, write.nowMillis());
    long seen = store.sum(write.tr().snapshot(), write.tenant(), counted);
    boolean near = seen < ceiling && (ceiling - seen) / MARGIN <= step;
    return near ? store.sum(write.tr(), write.tenant(), counted) : seen;
  }

  /**
   * Adds to what has been used, and tells where it reaches the ceiling.
   *
   * @param by the task that uses it
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
        tell(write, quota, measure, before + amount);
      }
    }
    if (measure == Measure.REQUESTS) {
      store.forgetBefore(write.tr(), write.tenant(), counted);
    }
    store.add(write.tr(), write.tenant(), counted, by, amount);
  }

  /** Forgets what was used before the current period. */
  void forgetEarlier(Write write, Quota quota) {
    for (Measure measure : Measure.values()) {
      store.forgetBefore(write.tr(), write.tenant(), counted(quota, measure, write.nowMillis()));
    }
  }

  private void tell(Write write, Quota quota, Measure measure, long used) {
    events.ofTenant(
        write,
        QuotaStore.QUOTA.name(),
        quota.getId(),
        EventDraft.of(
            EventKinds.QUOTA_REACHED,
            Payload.of()
                .text("limit", measure.limit())
                .fraction("allowed", quota.getLimitsOrThrow(measure.limit()))
                .fraction("used", measure.spelled(used))
                .flag("hard_limit", quota.getHardLimit())));
  }

  private static Counted counted(Quota quota, Measure measure, long now) {
    return new Counted(quota.getId(), measure.limit(), measure.period(quota, now));
  }
}
