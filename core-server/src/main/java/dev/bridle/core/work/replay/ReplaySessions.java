package dev.bridle.core.work.replay;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.session.IsolatedSessions;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.session.v1.Session;

/** The sessions that replays run in. */
final class ReplaySessions {
  private final IsolatedSessions isolated;

  ReplaySessions(CoreContext context) {
    this.isolated = new IsolatedSessions(context);
  }

  /**
   * Returns the session of what is replayed. Where that takes no more tasks, or the replay says
   * what was never said in it, returns one beside it.
   *
   * @param task the replayed task, or the first one
   * @param saysMore whether the replay may say something else
   */
  Session of(Write write, Session session, String task, boolean saysMore) {
    return SessionStore.isOpen(session) && !saysMore
        ? session
        : isolated.create(
            write,
            session,
            task,
            Payload.of().text("replay_of_session_id", session.getId()).json());
  }
}
