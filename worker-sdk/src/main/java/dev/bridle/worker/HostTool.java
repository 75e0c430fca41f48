package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A tool call for the client that watches the task, such as opening a file in its editor.
 *
 * @param name the name of the client's tool
 * @param input the input, a JSON object of at most 64 KiB
 * @param prompt the purpose of the call, for a person
 * @param sideEffect the external side effect; unspecified if empty, no side effect if `none`
 * @param timeout the time in which a client must answer; 24 hours if empty
 * @param hold how long the handler's thread waits for the result, at most 24 hours; after that, or
 *     at once if zero, the handler ends and runs again when the result is available
 */
public record HostTool(
    String name,
    JsonNode input,
    String prompt,
    Optional<String> sideEffect,
    Optional<Duration> timeout,
    Duration hold) {

  /**
   * Returns a call with a hold of zero: the handler ends and runs again when the result is
   * available.
   */
  public static HostTool of(String name, JsonNode input, String prompt) {
    return new HostTool(name, input, prompt, Optional.empty(), Optional.empty(), Duration.ZERO);
  }

  /**
   * Returns a copy with a side effect, such as `file_write`, or `none`. A tool without one is
   * treated as having a side effect.
   */
  public HostTool withSideEffect(String effect) {
    return new HostTool(name, input, prompt, Optional.of(effect), timeout, hold);
  }

  /** Returns a copy with a timeout. */
  public HostTool within(Duration time) {
    return new HostTool(name, input, prompt, sideEffect, Optional.of(time), hold);
  }

  /** Returns a copy whose result the handler's thread waits for up to the given time. */
  public HostTool holding(Duration time) {
    return new HostTool(name, input, prompt, sideEffect, timeout, time);
  }
}
