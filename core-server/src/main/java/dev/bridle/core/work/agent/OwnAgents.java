package dev.bridle.core.work.agent;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;

/** The agents of the server itself, whose ids no other worker can use. */
public final class OwnAgents {
  /** The agent that replays tasks. */
  public static final String REPLAY = "bridle.replay";

  private OwnAgents() {}

  /** Checks that a worker may take an agent's tasks; {@code permission_denied} otherwise. */
  public static void needTaker(Caller caller, String agentId) {
    if (agentId.equals(REPLAY) && !caller.inProcess()) {
      throw reserved();
    }
  }

  /**
   * Checks that an agent can be registered, which those of the server are not: they take what is
   * bound to them, and nothing else. {@code permission_denied} otherwise.
   */
  public static void needRegistrable(String agentId) {
    if (agentId.equals(REPLAY)) {
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
