package dev.bridle.core.work.agent;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import java.util.Set;

/** The agents of the server itself, whose ids no other worker can use. */
public final class OwnAgents {
  /** The agent that replays tasks. */
  public static final String REPLAY = "bridle.replay";

  /** The agent that replays sessions, whose long replays hold up none of a task. */
  public static final String SESSION_REPLAY = "bridle.session-replay";

  private static final Set<String> OWN = Set.of(REPLAY, SESSION_REPLAY);
  private static final String REPLAYS_OF = REPLAY + ":";

  private OwnAgents() {}

  /**
   * Returns the agent id under which replays wait for a worker of an agent that runs them. No agent
   * can be registered with it, since it has a colon.
   *
   * @param agentId the agent's id; empty: replays of tasks that were bound to no agent
   */
  public static String replaysOf(String agentId) {
    return REPLAYS_OF + agentId;
  }

  /** Returns whether an agent id is one of {@link #replaysOf}. */
  public static boolean isReplaysOf(String agentId) {
    return agentId.startsWith(REPLAYS_OF);
  }

  /** Returns the agent whose workers run the replays of {@link #replaysOf}; empty: of no agent. */
  public static String replayedBy(String replaysOf) {
    return replaysOf.substring(REPLAYS_OF.length());
  }

  /** Checks that a worker may take an agent's tasks; {@code permission_denied} otherwise. */
  public static void needTaker(Caller caller, String agentId) {
    if (isReplaysOf(agentId) || (OWN.contains(agentId) && !caller.inProcess())) {
      throw reserved();
    }
  }

  /**
   * Checks that an agent can be registered, which those of the server are not: they take what is
   * bound to them, and nothing else. {@code permission_denied} otherwise.
   */
  public static void needRegistrable(String agentId) {
    if (isReplaysOf(agentId) || OWN.contains(agentId)) {
      throw reserved();
    }
  }

  private static ProtocolException reserved() {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_PERMISSION_DENIED,
            "The agent id is that of a part of the server; use another one.")
        .blaming("agent_id");
  }
}
