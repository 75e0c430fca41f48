package dev.bridle.core.work.quota;

import com.google.protobuf.util.Timestamps;
import dev.bridle.quota.v1.Quota;

/** Computes the counting periods of quotas. */
final class Periods {
  private Periods() {}

  /** Returns the start of the current period, in Unix milliseconds. */
  static long since(Quota quota, long now) {
    return Timestamps.toMillis(settled(quota, now).getUsageSince());
  }

  /** Returns a quota at a time, with its {@code reset_at} applied if it has passed. */
  static Quota settled(Quota quota, long now) {
    if (quota.hasResetAt() && Timestamps.toMillis(quota.getResetAt()) <= now) {
      return quota.toBuilder().setUsageSince(quota.getResetAt()).clearResetAt().build();
    }
    return quota.hasUsageSince()
        ? quota
        : quota.toBuilder().setUsageSince(quota.getCreatedAt()).build();
  }
}
