package dev.bridle.host.task;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * What the processes of a host may use.
 *
 * @param processes how many there are at a time
 * @param memoryBytes how much one of them, with what it starts, may have resident
 * @param idleEnd after what time without a task a process ends
 */
public record ProcessBounds(int processes, OptionalLong memoryBytes, Duration idleEnd) {
  /** One person's own agents: bounded by what that person starts. */
  public static final ProcessBounds NONE =
      new ProcessBounds(Integer.MAX_VALUE, OptionalLong.empty(), Duration.ofDays(365));
}
