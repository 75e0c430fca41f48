package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;

/**
 * A session that can be prompted, and how it came to be.
 *
 * @param session the session
 * @param how whether the agent remembers
 * @param whole the agent's answer as it was spelled, with modes and options
 */
public record OpenedSession(AcpSession session, How how, RawJson whole) {
  /** Returns the modes and options that the agent offers, as they were when it opened. */
  public OfferedSettings offered() {
    return OfferedSettings.of(whole);
  }

  /** Whether the agent remembers. */
  public enum How {
    /** Nothing was to be remembered. */
    NEW,
    /** The agent took the session up. */
    RESUMED,
    /** The agent loaded the session, and may have repeated its history, which was dropped. */
    LOADED,
    /** The earlier session is lost: the agent knows nothing of it. */
    FRESH;

    /** Returns whether the agent has no history of the session. */
    public boolean isWithoutHistory() {
      return this == NEW || this == FRESH;
    }
  }
}
