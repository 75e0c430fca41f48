package dev.bridle.core.quota;

import dev.bridle.core.error.ProtocolException;
import dev.bridle.quota.v1.Quota;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a quota can limit. A ceiling under any other name would bind nothing, and whoever set it
 * would rely on it, so it is refused.
 */
final class QuotaLimits {
  static final String TASKS = "tasks";
  static final String CONCURRENCY = "concurrency";
  static final String TOKENS = "tokens";
  static final String MONEY = "money";
  static final String TOOL_CALLS = "tool_calls";
  static final String WALL_TIME_SECONDS = "wall_time_seconds";
  static final String REQUESTS_PER_MINUTE = "requests_per_minute";

  private static final Set<String> NAMES =
      Set.of(TASKS, CONCURRENCY, TOKENS, MONEY, TOOL_CALLS, WALL_TIME_SECONDS, REQUESTS_PER_MINUTE);

  private QuotaLimits() {}

  /** Checks the names of limits. */
  static void check(Set<String> names) {
    for (String name : names) {
      if (!NAMES.contains(name)) {
        throw ProtocolException.invalid(
            "limits",
            "has a limit of another name than " + String.join(", ", new TreeSet<>(NAMES)));
      }
    }
  }

  /** Returns a quota with what has been used of each limit: nothing, since nothing meters yet. */
  static Quota withUsage(Quota quota) {
    Quota.Builder whole = quota.toBuilder().clearUsage();
    quota.getLimitsMap().keySet().forEach(name -> whole.putUsage(name, 0));
    return whole.build();
  }
}
