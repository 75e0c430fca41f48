package dev.bridle.core.work.quota;

import com.google.protobuf.util.Timestamps;
import dev.bridle.quota.v1.Quota;

/** When a quota's usage starts again from 0. */
final class Periods {
  private Periods() {}

  /** Returns since when usage is counted, in Unix milliseconds. */
  static long since(Quota quota, long now) {
    return Timestamps.toMillis(settled(quota, now).getUsageSince());
  }

  /** Returns a quota as it is at a time: with what its {@code reset_at} has done, once that is. */
  static Quota settled(Quota quota, long now) {
    if (quota.hasResetAt() && Timestamps.toMillis(quota.getResetAt()) <= now) {
      return quota.toBuilder().setUsageSince(quota.getResetAt()).clearResetAt().build();
    }
    return quota.hasUsageSince()
        ? quota
        : quota.toBuilder().setUsageSince(quota.getCreatedAt()).build();
  }
}
