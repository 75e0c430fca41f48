package dev.bridle.host.process;

import java.util.Optional;
import java.util.UUID;

/**
 * The marker in the environment of an agent, which its processes inherit: the host's process and
 * start time, then a name of the agent's own. It is no secret.
 */
record HostMark(long host, long started, String agent) {
  static final String VARIABLE = "AGENT_HOST_MARK";

  static HostMark create() {
    ProcessHandle self = ProcessHandle.current();
    return new HostMark(self.pid(), startOf(self), UUID.randomUUID().toString());
  }

  static Optional<HostMark> parse(String text) {
    String[] parts = text.split("/", -1);
    try {
      return parts.length == 3
          ? Optional.of(new HostMark(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** What the markers of all agents of this host begin with. */
  String prefix() {
    return host + "/" + started + "/";
  }

  String text() {
    return prefix() + agent;
  }

  /** Whether the host runs, and not another process with its number. */
  boolean hostLives() {
    return ProcessHandle.of(host)
        .filter(handle -> handle.isAlive() && startOf(handle) == started)
        .isPresent();
  }

  private static long startOf(ProcessHandle handle) {
    return handle.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
  }
}
