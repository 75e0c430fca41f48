package dev.bridle.core.work.session;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionState;

/** Creates sessions for clients and for other features. */
public final class SessionCreator {
  private final SessionStore sessions;
  private final SessionGrants grants;
  private final SessionMessages messages;
  private final Events events;

  public SessionCreator(CoreContext context) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.grants = new SessionGrants(context.layout());
    this.messages = new SessionMessages(context);
    this.events = context.events();
  }

  /** Creates a session in a workspace that the caller can access, with its initial messages. */
  public Session create(Write write, CreateSessionRequest request) {
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    String id = write.id("session");
    Session.Builder made =
        Session.newBuilder()
            .setId(id)
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(request.getMetadata())
            .setWorkspaceId(request.getWorkspaceId())
            .setState(SessionState.SESSION_STATE_ACTIVE)
            .setTranscript(SessionStore.transcript(id))
            .setRootSessionId(id);
    grants.give(write, request, made);
    Session session = made.build();
    sessions.insert(write, session);
    events.ofSession(
        write,
        session.getWorkspaceId(),
        id,
        EventDraft.of(
            EventKinds.SESSION_CREATED,
            Payload.of()
                .text("state", "ACTIVE")
                .text("persona_id", session.getPersonaId())
                .json("metadata", session.getMetadata())));
    request
        .getInitialMessagesList()
        .forEach(
            input -> {
              var unused = messages.append(write, session, input);
            });
    return session;
  }
}
