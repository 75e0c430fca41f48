package dev.bridle.core.work.session;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionState;

/**
 * Moves sessions between ACTIVE and IDLE. A session in another state, such as a closed one, keeps
 * it; a move to the state that the session has changes nothing.
 */
public final class SessionIdleness {
  private final SessionStore sessions;
  private final Events events;

  public SessionIdleness(CoreContext context) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.events = context.events();
  }

  /** Marks an active session as idle: its agent waits for something to do. */
  public void idle(Write write, String session) {
    move(write, session, SessionState.SESSION_STATE_ACTIVE, SessionState.SESSION_STATE_IDLE);
  }

  /** Marks an idle session as active: its agent works again. */
  public void active(Write write, String session) {
    move(write, session, SessionState.SESSION_STATE_IDLE, SessionState.SESSION_STATE_ACTIVE);
  }

  private void move(Write write, String id, SessionState from, SessionState to) {
    sessions
        .records()
        .get(write.tr(), write.tenant(), id)
        .filter(session -> session.getState() == from)
        .ifPresent(before -> change(write, before, to));
  }

  private void change(Write write, Session before, SessionState to) {
    Session after =
        before.toBuilder()
            .setState(to)
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .build();
    sessions.update(write, before, after);
    String spelled = to == SessionState.SESSION_STATE_IDLE ? "IDLE" : "ACTIVE";
    events.ofSession(
        write,
        before.getWorkspaceId(),
        before.getId(),
        EventDraft.of(EventKinds.SESSION_UPDATED, Payload.of().text("state", spelled)));
  }
}
