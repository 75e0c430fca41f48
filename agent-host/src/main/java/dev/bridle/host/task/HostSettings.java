package dev.bridle.host.task;

import dev.bridle.host.preset.AgentStart;

/**
 * How a host starts its agents.
 *
 * @param start what is started
 * @param version the version of this program, which agents are sent
 * @param scope how long a process lives
 * @param bounds what the processes may use
 */
public record HostSettings(
    AgentStart start, String version, ProcessScope scope, ProcessBounds bounds) {
  /** Returns the settings of a person's own agents: a process for each session. */
  public static HostSettings ofPerson(AgentStart start, String version) {
    return new HostSettings(start, version, ProcessScope.SESSION, ProcessBounds.NONE);
  }
}
