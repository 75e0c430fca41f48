package dev.bridle.host.task;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * What an agent's session has cost so far, of which each task is to pay its own part. An agent that
 * takes a session up may or may not count what it cost before, so its first figure counts for
 * nothing then. One currency counts: the first. Thread-safe.
 */
final class SessionCost {
  private Optional<BigDecimal> highest = Optional.empty();
  private Optional<String> currency = Optional.empty();

  /**
   * A process begins to count.
   *
   * @param isNew whether the session has cost nothing yet
   */
  synchronized void begin(boolean isNew) {
    highest = isNew ? Optional.of(BigDecimal.ZERO) : Optional.empty();
    currency = Optional.empty();
  }

  /** Takes the whole so far; returns what came to it since the highest before, if that is known. */
  synchronized Optional<BigDecimal> add(BigDecimal whole, String in) {
    if (currency.isPresent() && !currency.get().equals(in)) {
      return Optional.empty();
    }
    currency = Optional.of(in);
    Optional<BigDecimal> more =
        highest.map(whole::subtract).filter(difference -> difference.signum() > 0);
    highest = Optional.of(highest.map(whole::max).orElse(whole));
    return more;
  }
}
