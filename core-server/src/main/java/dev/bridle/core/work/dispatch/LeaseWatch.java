package dev.bridle.core.work.dispatch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What this process has itself seen of leases, on its own monotonic clock. A lease has gone quiet
 * once the same token and count of heartbeats were seen a whole lease time apart: wall clocks of
 * several processes differ, and read versions are no clock. Used by one thread.
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
   * Notes what is seen of a lease now, and tells whether it has been quiet for a whole lease time.
   */
  boolean quiet(String task, long fence, long renewals, long nowNanos) {
    Seen before = seen.get(task);
    if (before != null && before.fence() == fence && before.renewals() == renewals) {
      return nowNanos - before.atNanos() >= leaseTime.toNanos();
    }
    if (seen.size() >= MAX_SEEN) {
      seen.clear(); // Costs every lease one more lease time, and nothing else.
    }
    seen.put(task, new Seen(fence, renewals, nowNanos));
    return false;
  }

  /** Forgets a task. */
  void forget(String task) {
    seen.remove(task);
  }

  /** Begins to watch all leases anew, after a time in which no heartbeat could be stored. */
  void forgetAll() {
    seen.clear();
  }
}
