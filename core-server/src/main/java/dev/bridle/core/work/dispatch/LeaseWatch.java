package dev.bridle.core.work.dispatch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Detects missed heartbeats on this process's monotonic clock. A lease is expired once the same
 * fencing token and heartbeat count were seen a whole lease time apart. Wall clocks of several
 * processes differ, and read versions are not a clock. Not thread-safe.
 */
final class LeaseWatch {
  private static final int MAX_SEEN = 1_000_000;

  private final Map<String, Seen> seen = new HashMap<>();
  private final Duration leaseTime;

  LeaseWatch(Duration leaseTime) {
    this.leaseTime = leaseTime;
  }

  private record Seen(long fence, long renewals, long atNanos) {}

  /**
   * Records an observation of a lease, and returns whether it had no heartbeat for a whole lease
   * time.
   */
  boolean isExpired(String task, long fence, long renewals, long nowNanos) {
    Seen before = seen.get(task);
    if (before != null && before.fence() == fence && before.renewals() == renewals) {
      return nowNanos - before.atNanos() >= leaseTime.toNanos();
    }
    if (seen.size() >= MAX_SEEN) {
      seen.clear(); // Only delays the expiry of leases by one lease time.
    }
    seen.put(task, new Seen(fence, renewals, nowNanos));
    return false;
  }

  /** Forgets a task. */
  void forget(String task) {
    seen.remove(task);
  }

  /** Restarts the observation of all leases, after a time in which no heartbeat could be stored. */
  void forgetAll() {
    seen.clear();
  }
}
