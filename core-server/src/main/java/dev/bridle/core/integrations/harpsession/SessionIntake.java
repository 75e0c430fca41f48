package dev.bridle.core.integrations.harpsession;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.session.SessionEvent;
import dev.bridle.record.v1.LayerSessionRecord;
import dev.bridle.record.v1.LayerSnapshotRecord;
import dev.bridle.session.v1.Session;
import java.util.Optional;

/** Stores events of sessions, each once. A repeat finds itself stored, and changes nothing. */
final class SessionIntake {
  private final LayerSessionStore store;
  private final MirroredSessions mirrored;

  SessionIntake(LayerSessionStore store, MirroredSessions mirrored) {
    this.store = store;
    this.mirrored = mirrored;
  }

  /** Returns where the events beside a session of the core are stored. */
  static String placeOfCore(String sessionId) {
    return "core\n" + sessionId;
  }

  /** Returns where the events of a session of another host are stored. */
  static String placeOfHost(String sessionId) {
    return "host\n" + sessionId;
  }

  /** Stores an event. */
  void post(Write write, Caller caller, ReceivedEvent received) throws HarpException {
    write.needTenant();
    SessionRules.needPast(received, write.nowMillis());
    String id = received.event().sessionId();
    Optional<Session> core = mirrored.find(write.tr(), caller, id);
    if (core.isPresent()) {
      if (!mirrored.isMapped(write.tr(), write.tenant(), core.get())) {
        throw SessionPages.notFound(id);
      }
      besideCore(write, core.get(), received.in(placeOfCore(id)));
    } else {
      ofHost(write, caller, received.in(placeOfHost(id)));
    }
  }

  private void besideCore(Write write, Session session, ReceivedEvent event) throws HarpException {
    if (!event.isSnapshot()) {
      throw SessionRules.invalidState(
          "mirrored", "The session is this server's own, and takes snapshots alone.");
    }
    Optional<LayerSessionRecord> before = found(write, event);
    if (before.isPresent() && isRepeated(write, event)) {
      return;
    }
    Optional<EventTime> ended = MirroredSessions.ended(session);
    SessionRules.needOpen(
        event,
        ended.map(EventTime::key).orElse(""),
        ended.map(EventTime::millis).orElse(0L),
        write.nowMillis());
    LayerSessionRecord first =
        LayerSessionRecord.newBuilder()
            .setPlace(event.place())
            .setWorkspaceId(session.getWorkspaceId())
            .build();
    store(write, before, before.orElse(first), event);
  }

  private void ofHost(Write write, Caller caller, ReceivedEvent event) throws HarpException {
    Optional<LayerSessionRecord> before = store.find(write.tr(), write.tenant(), event.place());
    if (before.filter(session -> !isOwn(caller, session)).isPresent()) {
      throw event.isStart()
          ? SessionRules.invalidState("taken", "The session's id is taken; use another one.")
          : SessionRules.notStarted();
    }
    needKept(before);
    if (before.isPresent()) {
      if (!isRepeated(write, event)) {
        SessionRules.needFurther(event, before.get(), write.nowMillis());
        store(write, before, ended(write, before.get(), event), event);
      }
      return;
    }
    if (!event.isStart()) {
      throw SessionRules.notStarted();
    }
    LayerSessionRecord.Builder first =
        LayerSessionRecord.newBuilder()
            .setPlace(event.place())
            .setActor(caller.actor())
            .setStartedKey(event.at().key());
    Optional.ofNullable(event.event().json().get("repoRef"))
        .flatMap(ref -> mirrored.workspaceOf(write.tr(), caller, ref.textValue()))
        .ifPresent(first::setWorkspaceId);
    if (!SessionPages.reaches(caller, first)) {
      throw new HarpException(
          HarpErrorCode.POLICY_DENY,
          "unmapped",
          "A credential of some workspaces begins sessions of repositories that are mapped to one"
              + " of them.");
    }
    store(write, before, first.build(), event);
  }

  private static boolean isOwn(Caller caller, LayerSessionRecord session) {
    return session.getActor().equals(caller.actor()) && SessionPages.reaches(caller, session);
  }

  private Optional<LayerSessionRecord> found(Write write, ReceivedEvent event)
      throws HarpException {
    Optional<LayerSessionRecord> found = store.find(write.tr(), write.tenant(), event.place());
    needKept(found);
    return found;
  }

  private static void needKept(Optional<LayerSessionRecord> session) throws HarpException {
    if (session.filter(LayerSessionRecord::getRemoving).isPresent()) {
      throw SessionRules.invalidState(
          "removing", "The session is no longer kept, and being removed.");
    }
  }

  private boolean isRepeated(Write write, ReceivedEvent event) throws HarpException {
    Optional<SessionEvent.Snapshot> snapshot = event.event().snapshot();
    if (snapshot.isEmpty()) {
      return store.hasEvent(write.tr(), write.tenant(), event);
    }
    Optional<LayerSnapshotRecord> stored =
        store.snapshot(write.tr(), write.tenant(), event.place(), snapshot.get().id());
    if (stored.isPresent() && !stored.get().getHash().equals(snapshot.get().hash())) {
      throw SessionRules.duplicateSnapshot();
    }
    return stored.isPresent();
  }

  private static LayerSessionRecord ended(
      Write write, LayerSessionRecord session, ReceivedEvent event) {
    return event.isEnd()
        ? session.toBuilder().setEndedKey(event.at().key()).setClosedAt(write.nowMillis()).build()
        : session;
  }

  private void store(
      Write write,
      Optional<LayerSessionRecord> before,
      LayerSessionRecord session,
      ReceivedEvent event)
      throws HarpException {
    SessionRules.needRoom(event, session.getEvents(), store.totals(write.tr(), write.tenant()));
    LayerSessionRecord after =
        session.toBuilder()
            .setDueAt(write.nowMillis() + SessionLimits.RETENTION.toMillis())
            .build();
    if (before.isPresent()) {
      store.add(write, before.get(), after, event);
    } else {
      store.begin(write, after, event);
    }
  }
}
