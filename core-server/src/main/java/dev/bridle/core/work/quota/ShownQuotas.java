package dev.bridle.core.work.quota;

import dev.bridle.quota.v1.Quota;
import dev.bridle.storage.ReadTransaction;
import java.time.Clock;
import java.util.Optional;

/** Quotas as callers see them: with what has been used of each limit. */
final class ShownQuotas {
  private final QuotaUsage usage;
  private final Clock clock;

  ShownQuotas(QuotaUsage usage, Clock clock) {
    this.usage = usage;
    this.clock = clock;
  }

  /** Returns a stored quota as it is now. */
  Quota now(ReadTransaction tr, String tenant, Quota stored) {
    return at(tr, tenant, stored, clock.millis());
  }

  /** Returns a stored quota as it is at a time. */
  Quota at(ReadTransaction tr, String tenant, Quota stored, long now) {
    Quota quota = Periods.settled(stored, now);
    Quota.Builder shown = quota.toBuilder().clearUsage().clearExhaustionReason();
    for (Measure measure : Measure.values()) {
      Optional<Long> ceiling = measure.ceiling(quota);
      if (ceiling.isPresent()) {
        long used = usage.used(tr, tenant, quota, measure, now);
        shown.putUsage(measure.limit(), measure.spelled(used));
        if (quota.getHardLimit() && used >= ceiling.get() && !shown.hasExhaustionReason()) {
          shown.setExhaustionReason("The limit of " + measure.limit() + " is used up.");
        }
      }
    }
    return shown.build();
  }
}
