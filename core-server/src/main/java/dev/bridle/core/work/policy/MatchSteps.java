package dev.bridle.core.work.policy;

/**
 * How much work all patterns of all rules may be for one action, whose texts an agent chooses and
 * whose patterns a tenant does. Not thread-safe.
 */
final class MatchSteps {
  private long left;

  /**
   * @param most the number of steps, of which each takes a few nanoseconds
   */
  MatchSteps(long most) {
    this.left = most;
  }

  /** Takes steps; returns false once there are none left. */
  boolean take(long steps) {
    left -= steps;
    return left >= 0;
  }
}
