package dev.bridle.host.process;

import java.util.Objects;

/**
 * How an agent's process ended. What it was doing then has an unknown outcome.
 *
 * @param reason why
 * @param code its exit code; 128 and the number of a signal if one ended it
 * @param sentence the reason in words
 * @param errors the end of what it wrote to stderr, the agent's own text
 * @param left how many of its processes still live although they were killed; 0 but for processes
 *     that hang in the kernel
 */
public record AgentExit(ExitReason reason, int code, String sentence, String errors, int left) {
  /** Checks that nothing is missing. */
  public AgentExit {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(sentence, "sentence");
    Objects.requireNonNull(errors, "errors");
  }
}
