package dev.bridle.host.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The marker in the environment of an agent, which its processes inherit: the host's namespace of
 * processes, number and start time, then a name of the agent's own. It is no secret.
 *
 * @param space where the numbers of processes mean what they say; an agent may host agents
 * @param started in the kernel's ticks, which two processes read alike
 */
record HostMark(String space, long host, long started, String agent) {
  static final String VARIABLE = "AGENT_HOST_MARK";

  static HostMark create() {
    ProcessHandle self = ProcessHandle.current();
    return new HostMark(ownSpace(), self.pid(), startOf(self), UUID.randomUUID().toString());
  }

  static Optional<HostMark> parse(String text) {
    String[] parts = text.split("/", -1);
    try {
      return parts.length == 4
          ? Optional.of(
              new HostMark(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** What the markers of all agents of this host begin with. */
  String prefix() {
    return space + "/" + host + "/" + started + "/";
  }

  String text() {
    return prefix() + agent;
  }

  /** Whether the host is known to be gone: it ran here, and no longer does. */
  boolean orphaned() {
    return space.equals(ownSpace())
        && ProcessHandle.of(host)
            .filter(handle -> handle.isAlive() && startOf(handle) == started)
            .isEmpty();
  }

  /** The digits of its id, which need no quotes in a pattern. */
  private static String ownSpace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  /** The 22nd field; the second, in parentheses, may contain anything. */
  private static long startOf(ProcessHandle handle) {
    return ProcFile.of(handle, "stat")
        .map(line -> line.substring(line.lastIndexOf(')') + 2).split(" "))
        .filter(fields -> fields.length > 19)
        .mapToLong(fields -> Long.parseLong(fields[19]))
        .findFirst()
        .orElse(0);
  }
}
