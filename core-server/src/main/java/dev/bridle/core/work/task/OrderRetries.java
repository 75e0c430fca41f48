package dev.bridle.core.work.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** When what was refused to a part of the core is asked for again. */
public final class OrderRetries {
  private static final int MOST_ATTEMPTS = 12;
  private static final Duration FIRST_WAIT = Duration.ofSeconds(5);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);
  private static final Set<ErrorCode> PASSING =
      Set.of(
          ErrorCode.ERROR_CODE_RATE_LIMITED,
          ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
          ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE);

  private OrderRetries() {}

  /** Returns how long a refusal asks to wait; empty where waiting does not help. */
  public static Optional<Duration> asked(ProtocolException refusal) {
    return PASSING.contains(refusal.code())
        ? Optional.of(Duration.ofSeconds(refusal.retryAfterSeconds()))
        : Optional.empty();
  }

  /**
   * Returns how long to wait after so many attempts; empty where it is given up. Doubles with each
   * attempt, and is never shorter than what was asked for.
   */
  public static Optional<Duration> pause(int attempts, Optional<Duration> asked) {
    if (asked.isEmpty() || attempts >= MOST_ATTEMPTS) {
      return Optional.empty();
    }
    Duration doubled = FIRST_WAIT.multipliedBy(1L << Math.min(attempts - 1, 16));
    Duration bounded = doubled.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : doubled;
    return Optional.of(asked.get().compareTo(bounded) > 0 ? asked.get() : bounded);
  }

  /** Returns a refusal's code as clients see it. */
  public static String code(ProtocolException refusal) {
    return refusal.code().name().substring("ERROR_CODE_".length()).toLowerCase(Locale.ROOT);
  }
}
