package dev.bridle.core.work.quota;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.quota.v1.Quota;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The measures that a quota can limit, with their counting units. Limits of unknown names are
 * rejected, since they would have no effect.
 */
enum Measure {
  /** Tasks that were submitted. */
  TASKS("tasks", 1),
  /** Tasks that have not ended: counted up and down, without periods. */
  CONCURRENCY("concurrency", 1),
  /** Tokens of models. */
  TOKENS("tokens", 1),
  /** Money, counted in millionths of the currency unit. */
  MONEY("money", 1_000_000),
  /** Actions that were allowed, and reported calls of tools. */
  TOOL_CALLS("tool_calls", 1),
  /** Time that workers run tasks, counted in milliseconds. */
  WALL_TIME("wall_time_seconds", 1000),
  /** Submissions and messages in the current minute. */
  REQUESTS("requests_per_minute", 1);

  private static final long MINUTE_MILLIS = 60_000;

  private final String limit;
  private final long parts;

  Measure(String limit, long parts) {
    this.limit = limit;
    this.parts = parts;
  }

  /** Returns the measure of a limit's name. */
  static Optional<Measure> of(String limit) {
    return Arrays.stream(values()).filter(measure -> measure.limit.equals(limit)).findFirst();
  }

  /** Checks the names of limits. */
  static void check(Set<String> limits) {
    for (String limit : limits) {
      if (of(limit).isEmpty()) {
        List<String> known =
            Arrays.stream(values()).map(measure -> measure.limit).sorted().toList();
        throw ProtocolException.invalid(
            "limits", "has an unknown limit; expected one of: " + String.join(", ", known));
      }
    }
  }

  /** Returns the measure's name in limits and usage. */
  String limit() {
    return limit;
  }

  /** Returns whether the count only grows until the quota's period ends. */
  boolean grows() {
    return this != CONCURRENCY && this != REQUESTS;
  }

  /** Returns the quota's limit in counting units, if it has one. */
  Optional<Long> ceiling(Quota quota) {
    return quota.containsLimits(limit)
        ? Optional.of((long) Math.floor(quota.getLimitsOrThrow(limit) * parts))
        : Optional.empty();
  }

  /** Converts a count to the unit of limits. */
  double toLimitUnit(long counted) {
    return (double) counted / parts;
  }

  /** Returns the counting period at a time. */
  long period(Quota quota, long now) {
    return switch (this) {
      case CONCURRENCY -> 0;
      case REQUESTS -> now / MINUTE_MILLIS;
      default -> Periods.since(quota, now);
    };
  }

  /** Returns in how many seconds the current minute ends. */
  static int secondsOfMinute(long now) {
    return (int) Math.max(1, (MINUTE_MILLIS - now % MINUTE_MILLIS + 999) / 1000);
  }
}
