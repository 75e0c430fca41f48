package dev.bridle.core.work.dispatch;

import dev.bridle.core.work.task.LeaseTimes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Detects missed heartbeats on this process's monotonic clock. A lease is expired once the same
 * fencing token and heartbeat count were seen a whole lease time apart. Wall clocks of several
 * processes differ, and read versions are not a clock. Not thread-safe.
 */
final class LeaseWatch {
  private static final int MAX_SEEN = 1_000_000;

  private final Map<String, Seen> seen = new HashMap<>();
  private final LeaseTimes times;

  LeaseWatch(LeaseTimes times) {
    this.times = times;
  }

  /**
   * What was seen of a lease.
   *
   * @param beat the heartbeat that was the last one then
   * @param atNanos when it was first seen to be
   * @param dueAt when the lease was due
   * @param dueNanos when it was first seen to be due then
   */
  private record Seen(Beat beat, long atNanos, long dueAt, long dueNanos) {}

  /**
   * A heartbeat.
   *
   * @param fence the lease's fencing token
   * @param renewals how many came before it
   */
  record Beat(long fence, long renewals) {}

  /** What is to be done about a lease. */
  enum Verdict {
    /** It had no heartbeat for a whole lease time. */
    EXPIRED,

    /** It is to be looked at again soon, by this server and by others. */
    STAYS_DUE,

    /** It is to be looked at again after a while. */
    LATER
  }

  /**
   * Records an observation of a lease that is due, and returns what is to be done. A lease without
   * a heartbeat since a server has put it off is not put off again: one that has begun to watch, or
   * has forgotten, would keep the others from giving it up.
   *
   * @param putOff the last heartbeat when it was put off
   */
  Verdict look(String task, Beat beat, Beat putOff, long dueAt, long nowNanos) {
    if (seen.size() >= MAX_SEEN) {
      seen.clear(); // Only delays the expiry of leases by one lease time.
    }
    Optional<Seen> before = Optional.ofNullable(seen.get(task));
    long at = before.filter(it -> it.beat().equals(beat)).map(Seen::atNanos).orElse(nowNanos);
    long due = before.filter(it -> it.dueAt() == dueAt).map(Seen::dueNanos).orElse(nowNanos);
    seen.put(task, new Seen(beat, at, dueAt, due));
    long age = nowNanos - at;
    if (age >= times.leaseTime().toNanos()) {
      return Verdict.EXPIRED;
    }
    boolean othersMayLook = times.sharesStore() && nowNanos - due < times.settle().toNanos();
    boolean expiresSoon = age >= times.check().toNanos() || beat.equals(putOff);
    return othersMayLook || expiresSoon ? Verdict.STAYS_DUE : Verdict.LATER;
  }

  /** Returns in how long a lease that was looked at is to be due again. */
  Duration untilCheck(String task, long nowNanos) {
    long age = Optional.ofNullable(seen.get(task)).map(it -> nowNanos - it.atNanos()).orElse(0L);
    return times.check().minusNanos(age);
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
