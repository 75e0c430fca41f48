package dev.bridle.host.acp;

import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.PeerException;
import dev.bridle.host.rpc.PeerHandler;
import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Gives what the agent sends to the session that it names. */
final class SessionRoutes implements PeerHandler {
  private static final int MOST_EARLY = 64;
  private static final int MOST_EARLY_BYTES = 64 << 10;

  private final PeerHandler others;
  private final Map<String, AcpSession> sessions = new ConcurrentHashMap<>();

  /** Updates of sessions whose id is not known yet; for the connection's thread. */
  private final List<Early> early = new ArrayList<>();

  SessionRoutes(PeerHandler others) {
    this.others = others;
  }

  private record Early(String sessionId, RawJson update) {}

  /** By any thread, for a session that the agent has an id of. */
  void add(AcpSession session) {
    sessions.put(session.id(), session);
  }

  void remove(AcpSession session) {
    sessions.remove(session.id(), session);
  }

  /** By the connection's thread: what came before the id was known is told now. */
  void addNew(AcpSession session) {
    sessions.put(session.id(), session);
    List<Early> found =
        early.stream().filter(each -> each.sessionId().equals(session.id())).toList();
    early.clear();
    found.forEach(each -> session.update(each.update()));
  }

  @Override
  public void request(IncomingRequest request) {
    if (!QuestionRequests.contain(request.method())) {
      others.request(request);
      return;
    }
    Optional<AcpSession> session = session(Members.of(request.params()));
    if (session.isPresent()) {
      session.get().asked(request);
    } else {
      QuestionRequests.refuse(request);
    }
  }

  @Override
  public void notification(String method, RawJson params, RawJson whole) {
    Members members = Members.of(params);
    switch (method) {
      case "session/update" -> updated(members);
      case "$/cancel_request" -> {
        RawJson id = members.raw("requestId").alone();
        sessions.values().forEach(session -> session.withdrawn(id));
        others.notification(method, params, whole); // It may be a request of theirs.
      }
      default -> others.notification(method, params, whole);
    }
  }

  private void updated(Members params) {
    Optional<AcpSession> session = session(params);
    RawJson update = params.raw("update");
    if (session.isPresent()) {
      session.get().update(update);
    } else if (early.size() < MOST_EARLY && update.length() <= MOST_EARLY_BYTES) {
      early.add(new Early(params.text("sessionId"), update.alone()));
    }
  }

  private Optional<AcpSession> session(Members params) {
    return Optional.ofNullable(sessions.get(params.text("sessionId")));
  }

  @Override
  public void ended(PeerException why) {
    sessions.values().forEach(session -> session.close(why.getMessage(), why));
    others.ended(why);
  }
}
