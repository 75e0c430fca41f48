package dev.bridle.host.task;

import dev.bridle.host.acp.SessionUpdate;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What an agent's session has cost so far, of which each task is to pay its own part. An agent that
 * takes a session up may or may not count what it cost before, so its first figure counts for
 * nothing then. One currency counts: the first. Thread-safe.
 */
final class SessionCost {
  /** More than any session costs; an agent may write any number. */
  private static final BigDecimal MAX_COST = BigDecimal.valueOf(1_000_000);

  /** A number of few letters may have so many digits that to reckon with it takes minutes. */
  private static final int MOST_DIGITS = 18;

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

  /** Returns the amount that an agent says; empty if it is none that a session can cost. */
  static Optional<BigDecimal> amount(SessionUpdate.Cost cost) {
    try {
      return Optional.of(new BigDecimal(cost.amount().toString()))
          .filter(amount -> Math.abs(amount.scale()) <= MOST_DIGITS)
          .filter(amount -> amount.precision() <= 2 * MOST_DIGITS)
          .filter(amount -> amount.signum() >= 0 && amount.compareTo(MAX_COST) <= 0);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
