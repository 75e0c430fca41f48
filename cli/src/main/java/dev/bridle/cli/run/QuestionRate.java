package dev.bridle.cli.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** How often an agent asks: a flood of questions makes people answer without reading. */
final class QuestionRate {
  /** So many within a minute are asked without a pause. */
  static final int MOST = 20;

  private static final long WINDOW = Duration.ofMinutes(1).toNanos();

  private final Deque<Long> asked = new ArrayDeque<>();

  /** Counts a question at a time of {@link System#nanoTime}; returns whether it is one too many. */
  boolean isTooMany(long now) {
    while (!asked.isEmpty() && now - asked.peek() > WINDOW) {
      asked.remove();
    }
    if (asked.size() >= MOST) {
      asked.clear(); // After the pause, as many again.
      asked.add(now);
      return true;
    }
    asked.add(now);
    return false;
  }
}
