package dev.bridle.host.task;

import dev.bridle.host.acp.Initialized;
import dev.bridle.host.acp.OpenedSession;

/** Is told what agents say of themselves. */
@FunctionalInterface
public interface Introductions {
  /** An agent was started, and has introduced itself. */
  void introduced(Initialized agent);

  /** It has opened a session, and said what modes and options that has. */
  default void opened(OpenedSession session) {
    // Not each reader of an introduction wants to know.
  }
}
