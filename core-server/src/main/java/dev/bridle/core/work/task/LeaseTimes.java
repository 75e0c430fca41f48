package dev.bridle.core.work.task;

import java.time.Duration;

/**
 * When leases are looked at. A lost lease is given up within two lease times, however many servers
 * share the store: each of them looks at a lease that is due before one puts off its next check.
 *
 * @param leaseTime how long a lease holds without a heartbeat
 * @param sharesStore whether other servers use the same store
 */
public record LeaseTimes(Duration leaseTime, boolean sharesStore) {
  private static final Duration LONGEST_SWEEP = Duration.ofMillis(500);
  private static final Duration SHORTEST_SWEEP = Duration.ofMillis(20);
  private static final int SWEEPS_PER_LEASE = 4;

  /** Returns how often servers look for what is due. */
  public Duration sweepInterval() {
    Duration part = leaseTime.dividedBy(SWEEPS_PER_LEASE);
    Duration atMost = part.compareTo(LONGEST_SWEEP) < 0 ? part : LONGEST_SWEEP;
    return atMost.compareTo(SHORTEST_SWEEP) < 0 ? SHORTEST_SWEEP : atMost;
  }

  /** Returns in what time every server has looked at what is due: two sweeps. */
  public Duration settle() {
    return sweepInterval().multipliedBy(2);
  }

  /**
   * Returns when a lease is due again after a look: earlier than it can expire by the time in which
   * servers look.
   */
  public Duration check() {
    return leaseTime.minus(settle());
  }
}
