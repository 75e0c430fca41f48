package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A tool that the client which watches the task is asked to run, such as to open a file in its
 * editor.
 *
 * @param name the tool's name, as clients know it
 * @param input what it is given, a JSON object of at most 64 KiB
 * @param prompt what it is for, for a person
 * @param sideEffect what it changes outside; something where empty, nothing where it is `none`
 * @param timeout how long clients have to answer; 24 hours where empty
 * @param hold how long the handler's thread stays for the result, at most 10 minutes; after that,
 *     or at once where it is zero, the handler ends and runs again when the result is there
 */
public record HostTool(
    String name,
    JsonNode input,
    String prompt,
    Optional<String> sideEffect,
    Optional<Duration> timeout,
    Duration hold) {

  /** Returns a call for which the handler ends and runs again. */
  public static HostTool of(String name, JsonNode input, String prompt) {
    return new HostTool(name, input, prompt, Optional.empty(), Optional.empty(), Duration.ZERO);
  }

  /**
   * Returns this with what it changes outside, such as `file_write`; `none` where it changes
   * nothing. A tool that does not say so counts as one that changes something.
   */
  public HostTool withSideEffect(String effect) {
    return new HostTool(name, input, prompt, Optional.of(effect), timeout, hold);
  }

  /** Returns this, to be answered within a time. */
  public HostTool within(Duration time) {
    return new HostTool(name, input, prompt, sideEffect, Optional.of(time), hold);
  }

  /** Returns this, for whose result the handler's thread stays that long. */
  public HostTool holding(Duration time) {
    return new HostTool(name, input, prompt, sideEffect, timeout, time);
  }
}
