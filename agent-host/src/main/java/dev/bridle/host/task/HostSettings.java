package dev.bridle.host.task;

import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.preset.AgentStart;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How a host starts its agents.
 *
 * @param start what is started
 * @param version the version of this program, which agents are sent
 * @param scope how long a process lives
 * @param bounds what the processes may use
 * @param chosen what a person chose for the agent and its sessions
 * @param hold how long a process is kept for an answer; after that it ends, and the answer starts
 *     another
 * @param signedOnly whether only decisions that devices have signed answer an agent
 */
public record HostSettings(
    AgentStart start,
    String version,
    ProcessScope scope,
    ProcessBounds bounds,
    SessionSettings chosen,
    Duration hold,
    boolean signedOnly) {
  /** As long as a question can be answered: the process is that of somebody who is there. */
  private static final Duration PERSONS_HOLD = Duration.ofHours(24);

  /**
   * Returns the settings of a person's own agents: a process for each session.
   *
   * @param memory how many bytes a process, with what it starts, may have resident
   * @param chosen what the person chose
   */
  public static HostSettings ofPerson(
      AgentStart start, String version, OptionalLong memory, SessionSettings chosen) {
    return new HostSettings(
        start,
        version,
        ProcessScope.SESSION,
        ProcessBounds.ofPerson(memory),
        chosen,
        PERSONS_HOLD,
        false);
  }

  /** Returns these settings for an agent that only decisions of devices answer. */
  public HostSettings withSignedOnly() {
    return new HostSettings(start, version, scope, bounds, chosen, hold, true);
  }
}
