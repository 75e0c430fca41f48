package dev.bridle.host.process;

import java.time.Duration;

/**
 * How long a stopping agent has for each step.
 *
 * @param afterClose from the end of its input to the signal TERM
 * @param afterTerm from then to KILL
 */
public record StopGrace(Duration afterClose, Duration afterTerm) {
  /** Two seconds, then five. */
  public static final StopGrace DEFAULT =
      new StopGrace(Duration.ofSeconds(2), Duration.ofSeconds(5));

  /** How long an agent may take to end. */
  public Duration whole() {
    return afterClose.plus(afterTerm);
  }

  /** Checks that neither is negative. */
  public StopGrace {
    if (afterClose.isNegative() || afterTerm.isNegative()) {
      throw new IllegalArgumentException(
          "grace is " + afterClose + " and " + afterTerm + ", expected no negative time");
    }
  }
}
