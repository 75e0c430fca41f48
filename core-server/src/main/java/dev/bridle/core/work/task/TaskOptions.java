package dev.bridle.core.work.task;

import java.time.Duration;

/**
 * How tasks and leases are timed.
 *
 * @param leaseTime how long a lease lasts without a heartbeat; 15 s
 * @param heartbeatInterval how often workers send heartbeats; 5 s
 * @param maxAttempts how many attempts a task gets; 3
 * @param cancelGrace how long a worker may take to stop after a cancellation was asked for; 10 s
 * @param affinityTime how long an answered task waits for the worker that kept its process; 5 s
 * @param maxHold how long a worker may keep a process for an answer; 10 min
 * @param maxPermissionRequests how many permissions a task may ask people for; 1,000
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
          Duration.ofMinutes(10),
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
