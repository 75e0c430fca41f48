package dev.bridle.core.work.session;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionState;
import dev.bridle.session.v1.Transcript;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;

/**
 * Stores sessions. Their newest event has a key of its own, since an event id contains the
 * versionstamp of the commit:
 *
 * <pre>
 * tenant / RECORD / SESSION, id                      → Session without last_event_id
 * tenant / INDEX / SESSION, ALL | WORKSPACE, …       → id
 * </pre>
 */
public final class SessionStore {
  /** The definition of sessions. */
  public static final RecordDef<Session> SESSION =
      RecordDef.of(3, "session", Session.parser())
          .id(Session::getId)
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, Session::getWorkspaceId)
          .refersTo("workspace", Session::getWorkspaceId)
          .refersTo("persona", Session::getPersonaId)
          .refersToAll("memory", Session::getMemoryIdsList)
          .refersToAll("skill", Session::getSkillIdsList)
          .refersToAll("vault", Session::getVaultIdsList)
          .liesIn(Session::getWorkspaceId, session -> "")
          .withStream()
          .exported(export -> export.inPhase("SESSIONS"))
          .build();

  static final int ALL = RecordDef.ALL;
  static final int WORKSPACE = RecordDef.BY_WORKSPACE;

  private final RecordStore<Session> records;
  private final EventLog log;

  public SessionStore(KeyLayout layout, EventLog log) {
    this.records = SESSION.store(layout);
    this.log = log;
  }

  /** Returns a session that the caller can access; {@code resource_not_found} otherwise. */
  public Session need(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id).orElseThrow(() -> ProtocolException.notFound("session", id));
  }

  /** Returns a session, if the caller can access it. */
  public Optional<Session> find(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(session -> caller.reaches(session.getWorkspaceId()));
  }

  /** Returns whether a session exists and the caller can access it. */
  public boolean visible(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id).isPresent();
  }

  /** Returns whether a session exists and is open for messages and tasks. */
  public boolean open(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id).filter(SessionStore::isOpen).isPresent();
  }

  /** Returns the ids of a session's skills; none if there is no such session. */
  public List<String> skillsOf(ReadTransaction tr, String tenant, String id) {
    return records
        .get(tr, tenant, id)
        .map(session -> List.copyOf(session.getSkillIdsList()))
        .orElse(List.of());
  }

  /** Returns whether a session is open for messages and tasks. */
  public static boolean isOpen(Session session) {
    return session.getState() != SessionState.SESSION_STATE_CLOSED
        && session.getState() != SessionState.SESSION_STATE_FAILED;
  }

  /** Checks that a session is open for messages and tasks; {@code conflict} otherwise. */
  public static void needOpen(Session session) {
    if (!isOpen(session)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The session is closed and accepts no more messages or tasks.")
          .with("session_id", session.getId());
    }
  }

  /** Returns a session with its newest event. */
  Session withLastEvent(ReadTransaction tr, String tenant, Session session) {
    return log.lastEventId(tr, tenant, session.getId())
        .map(id -> session.toBuilder().setLastEventId(id.toString()).build())
        .orElse(session);
  }

  /** Returns the transcript member of a session, with the URI of its messages. */
  static Transcript transcript(String session) {
    return Transcript.newBuilder()
        .setSummary(
            Payload.of().text("messages_uri", "/v1/sessions/" + session + "/messages").json())
        .build();
  }

  void insert(Write write, Session session) {
    var order = write.order();
    records.insert(write.tr(), write.tenant(), session.getId(), session);
    SESSION.index(records, write.tr(), write.tenant(), session, order);
  }

  void update(Write write, Session before, Session session) {
    records.update(write.tr(), write.tenant(), session.getId(), before, session);
  }

  RecordStore<Session> records() {
    return records;
  }
}
