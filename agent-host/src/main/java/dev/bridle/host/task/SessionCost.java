package dev.bridle.host.task;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * What an agent's session has cost so far, of which each task is to pay its own part. An agent that
 * takes a session up may or may not count what it cost before, so its first figure counts for
 * nothing then. Thread-safe.
 */
final class SessionCost {
  private Optional<BigDecimal> last = Optional.empty();

  /**
   * A process begins to count.
   *
   * @param isNew whether the session has cost nothing yet
   */
  synchronized void begin(boolean isNew) {
    last = isNew ? Optional.of(BigDecimal.ZERO) : Optional.empty();
  }

  /** Takes the whole so far; returns what came to it since the last one, if that is known. */
  synchronized Optional<BigDecimal> add(BigDecimal whole) {
    Optional<BigDecimal> more =
        last.map(whole::subtract).filter(difference -> difference.signum() > 0);
    last = Optional.of(whole);
    return more;
  }
}
