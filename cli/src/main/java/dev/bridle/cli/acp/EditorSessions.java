package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.rpc.RpcError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sessions that the editor has open: a bounded number. Thread-safe. */
final class EditorSessions {
  /** How many may be open at a time. */
  static final int MOST = 64;

  private final BridleServer server;
  private final SessionPlace place;
  private final Map<String, EditorSession> open = new HashMap<>();
  private int opening;

  EditorSessions(BridleServer server, SessionPlace place) {
    this.server = server;
    this.place = place;
  }

  /**
   * Returns an open session.
   *
   * @throws AcpRefusal if it is not open
   */
  synchronized EditorSession need(String id) {
    return Optional.ofNullable(open.get(id)).orElseThrow(() -> AcpRefusal.unknownSession(id));
  }

  /** Returns an open session, if it is one. */
  synchronized Optional<EditorSession> find(String id) {
    return Optional.ofNullable(open.get(id));
  }

  /** Creates a session on the server, and opens it. */
  ObjectNode create(Params params) {
    String cwd = SessionPlace.cwd(params);
    String notice = SessionPlace.notice(params);
    reserve();
    try {
      List<JsonNode> personas = server.personas();
      Optional<String> persona = place.persona(personas);
      JsonNode made = server.newSession(place.workspace(cwd), persona, cwd);
      Modes modes = Modes.of(personas, persona);
      EditorSession session =
          new EditorSession(made.path("id").asText(), modes, modes.first(), notice);
      put(session);
      return opened(session).put("sessionId", session.id());
    } finally {
      release();
    }
  }

  /**
   * Opens a session of the server.
   *
   * @param tasks its tasks that go on
   * @throws AcpRefusal if it is not there, or a turn runs in it
   */
  EditorSession open(Params params, JsonNode found, List<JsonNode> tasks) {
    String notice = SessionPlace.notice(params);
    String id = found.path("id").asText();
    if (find(id).flatMap(EditorSession::running).isPresent()) {
      throw AcpRefusal.of(RpcError.INVALID_REQUEST, "A prompt of this session is being worked on.");
    }
    reserve();
    try {
      Modes modes = Modes.of(server.personas(), SessionPlace.text(found, "persona_id"));
      String mode =
          tasks.stream()
              .flatMap(task -> SessionPlace.text(task, "persona_id").stream())
              .filter(modes::has)
              .reduce((first, last) -> last)
              .orElseGet(modes::first);
      EditorSession session = new EditorSession(id, modes, mode, notice);
      put(session);
      return session;
    } finally {
      release();
    }
  }

  /** Returns the answer to the editor about a session that was opened. */
  static ObjectNode opened(EditorSession session) {
    ObjectNode result = JsonLines.object();
    result.set("modes", session.modes().json(session.mode()));
    return result;
  }

  /** Forgets a session, which stays on the server. */
  synchronized void close(String id) {
    open.remove(id);
  }

  private synchronized void put(EditorSession session) {
    open.put(session.id(), session);
  }

  private synchronized void reserve() {
    if (open.size() + opening >= MOST) {
      throw AcpRefusal.of(
          RpcError.INVALID_REQUEST, MOST + " sessions are open, the most allowed; close one");
    }
    opening++;
  }

  private synchronized void release() {
    opening--;
  }

  /** Returns a page of the sessions that an editor has created. */
  ObjectNode list(Params params) {
    Optional<String> cwd = params.optional("cwd");
    ObjectNode result = JsonLines.object();
    ArrayNode sessions = result.putArray("sessions");
    Optional<String> cursor = params.optional("cursor");
    do {
      JsonNode page = server.sessions(place.onlyWorkspace(), cursor);
      for (JsonNode session : page.path("data")) {
        String where = session.at("/metadata/acp/cwd").asText("");
        if (!where.isEmpty() && cwd.map(where::equals).orElse(true)) {
          ObjectNode row =
              sessions
                  .addObject()
                  .put("sessionId", session.path("id").asText())
                  .put("cwd", where)
                  .put("updatedAt", session.path("updated_at").asText());
          SessionPlace.text(session, "summary")
              .ifPresent(title -> row.put("title", Texts.cut(title, 200)));
        }
      }
      cursor =
          page.at("/page/has_more").asBoolean()
              ? SessionPlace.text(page.path("page"), "next_cursor")
              : Optional.empty();
    } while (sessions.isEmpty() && cursor.isPresent());
    cursor.ifPresent(next -> result.put("nextCursor", next));
    return result;
  }

  /**
   * Returns a session of the server.
   *
   * @throws AcpRefusal if there is none for this caller and workspace
   */
  JsonNode needStored(String id) {
    return server
        .session(id)
        .filter(
            found ->
                place
                    .onlyWorkspace()
                    .map(only -> only.equals(found.path("workspace_id").asText()))
                    .orElse(true))
        .orElseThrow(() -> AcpRefusal.unknownSession(id));
  }
}
