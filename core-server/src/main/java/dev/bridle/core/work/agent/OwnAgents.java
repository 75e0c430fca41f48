package dev.bridle.core.work.agent;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;

/** The agents of the server itself, whose ids no other worker can use. */
public final class OwnAgents {
  /** The agent that replays tasks. */
  public static final String REPLAY = "bridle.replay";

  private OwnAgents() {}

  /**
   * Returns whether an agent is one of these, which need no registration: they take what is bound
   * to them, and nothing else.
   */
  public static boolean isOne(String agentId) {
    return agentId.equals(REPLAY);
  }

  /** Checks that a caller may use an agent's id; {@code permission_denied} otherwise. */
  public static void needUser(Caller caller, String agentId) {
    if (isOne(agentId) && !caller.inProcess()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The agent id is that of a part of the server; use another one.")
          .blaming("agent_id");
    }
  }
}
