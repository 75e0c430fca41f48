package dev.bridle.core.work.task;

import java.time.Duration;

/**
 * Timing and limits of tasks and leases.
 *
 * @param leaseTime lease expiry without a heartbeat; default 15 s
 * @param heartbeatInterval heartbeat interval of workers; default 5 s
 * @param maxAttempts maximum attempts of a task; default 3
 * @param cancelGrace grace period of a worker after a cancellation request; default 10 s
 * @param affinityTime how long an answered task waits for the worker that kept its process; default
 *     5 s
 * @param maxHold how long a worker may keep a process for an answer; default 24 h
 * @param maxPermissionRequests maximum permission requests of a task; default 1,000
 */
public record TaskOptions(
    Duration leaseTime,
    Duration heartbeatInterval,
    int maxAttempts,
    Duration cancelGrace,
    Duration affinityTime,
    Duration maxHold,
    int maxPermissionRequests) {
  /** The defaults for one machine. */
  public static final TaskOptions DEFAULT =
      new TaskOptions(
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          3,
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofHours(24),
          1_000);

  /** Checks that each is positive and that a lease outlives its heartbeats. */
  public TaskOptions {
    if (heartbeatInterval.isNegative()
        || heartbeatInterval.isZero()
        || leaseTime.compareTo(heartbeatInterval) <= 0) {
      throw new IllegalArgumentException(
          "the lease time "
              + leaseTime
              + " must be longer than the heartbeat interval "
              + heartbeatInterval
              + ", and both positive");
    }
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("max attempts is " + maxAttempts + ", expected 1 or more");
    }
    if (maxPermissionRequests < 1) {
      throw new IllegalArgumentException(
          "max permission requests is " + maxPermissionRequests + ", expected 1 or more");
    }
  }

  /** Returns when a lease is looked at the first time after it was granted. */
  public Duration firstCheck() {
    return new LeaseTimes(leaseTime, false).check();
  }

  /** Returns these options with other lease and heartbeat times. */
  public TaskOptions withLease(Duration lease, Duration heartbeat) {
    return new TaskOptions(
        lease, heartbeat, maxAttempts, cancelGrace, affinityTime, maxHold, maxPermissionRequests);
  }

  /** Returns these options with another number of attempts. */
  public TaskOptions withMaxAttempts(int attempts) {
    return new TaskOptions(
        leaseTime,
        heartbeatInterval,
        attempts,
        cancelGrace,
        affinityTime,
        maxHold,
        maxPermissionRequests);
  }

  /** Returns these options with another time for workers to stop. */
  public TaskOptions withCancelGrace(Duration grace) {
    return new TaskOptions(
        leaseTime,
        heartbeatInterval,
        maxAttempts,
        grace,
        affinityTime,
        maxHold,
        maxPermissionRequests);
  }

  /** Returns these options with another number of permissions that a task may ask for. */
  public TaskOptions withMaxPermissionRequests(int most) {
    return new TaskOptions(
        leaseTime, heartbeatInterval, maxAttempts, cancelGrace, affinityTime, maxHold, most);
  }
}
