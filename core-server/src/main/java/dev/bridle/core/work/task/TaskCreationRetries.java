package dev.bridle.core.work.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Computes when an internally created task that was rejected is retried. */
public final class TaskCreationRetries {
  private static final int MAX_ATTEMPTS = 12;
  private static final Duration FIRST_WAIT = Duration.ofSeconds(5);
  private static final Duration MAX_WAIT = Duration.ofHours(1);
  private static final Set<ErrorCode> RETRIABLE =
      Set.of(
          ErrorCode.ERROR_CODE_RATE_LIMITED,
          ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
          ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE);

  private TaskCreationRetries() {}

  /** Returns the Retry-After of a rejection; empty if it is not retriable. */
  public static Optional<Duration> asked(ProtocolException refusal) {
    return RETRIABLE.contains(refusal.code())
        ? Optional.of(Duration.ofSeconds(refusal.retryAfterSeconds()))
        : Optional.empty();
  }

  /**
   * Returns the backoff after a number of attempts; empty to give up. Doubles with each attempt,
   * and is never shorter than the Retry-After.
   */
  public static Optional<Duration> pause(int attempts, Optional<Duration> asked) {
    if (asked.isEmpty() || attempts >= MAX_ATTEMPTS) {
      return Optional.empty();
    }
    Duration doubled = FIRST_WAIT.multipliedBy(1L << Math.min(attempts - 1, 16));
    Duration bounded = doubled.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : doubled;
    return Optional.of(asked.get().compareTo(bounded) > 0 ? asked.get() : bounded);
  }

  /** Returns a rejection's code as clients see it. */
  public static String code(ProtocolException refusal) {
    return refusal.code().name().substring("ERROR_CODE_".length()).toLowerCase(Locale.ROOT);
  }
}
