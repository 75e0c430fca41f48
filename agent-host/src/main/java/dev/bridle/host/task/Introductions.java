package dev.bridle.host.task;

import dev.bridle.host.acp.Initialized;
import dev.bridle.host.acp.OpenedSession;
import java.time.Duration;

/** Is told what agents say of themselves. */
@FunctionalInterface
public interface Introductions {
  /** An agent was started, and has introduced itself. */
  void introduced(Initialized agent);

  /**
   * An agent was started a while ago, and has not introduced itself yet. Called by a timer.
   *
   * @param limit how long it has for that, from its start
   */
  default void awaited(Duration limit) {
    // Not each reader of an introduction waits for it.
  }

  /** It has opened a session, and said what modes and options that has. */
  default void opened(OpenedSession session) {
    // Not each reader of an introduction wants to know.
  }
}
