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
  /**
   * Returns the bounds of a person's own agents, of which there are as many as that person starts.
   *
   * @param memory how much one of them may have resident, if that is limited
   */
  static ProcessBounds ofPerson(OptionalLong memory) {
    return new ProcessBounds(Integer.MAX_VALUE, memory, Duration.ofDays(365));
  }
}
