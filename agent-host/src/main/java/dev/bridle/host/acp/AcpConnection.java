package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.OpenedSession.How;
import dev.bridle.host.rpc.JsonRpcPeer;
import dev.bridle.host.rpc.RawJson;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A connection to an agent. Methods that wait are for the caller's own threads, not for those that
 * call listeners. Thread-safe.
 */
public final class AcpConnection implements AutoCloseable {
  /** The version of the protocol that is offered, and the only one that is spoken. */
  public static final int VERSION = 1;

  private final AcpOptions options;
  private final SessionRoutes routes;
  private final JsonRpcPeer peer;
  private final AcpCalls calls;

  private AcpConnection(
      AcpOptions options, SessionRoutes routes, JsonRpcPeer peer, AcpCalls calls) {
    this.options = options;
    this.routes = routes;
    this.peer = peer;
    this.calls = calls;
  }

  /**
   * Begins to read.
   *
   * @param name begins the names of threads
   * @param in what the agent writes
   * @param out what the agent reads
   * @param timer runs timeouts and pauses; it may serve many connections
   */
  public static AcpConnection start(
      String name,
      InputStream in,
      OutputStream out,
      AcpOptions options,
      ScheduledExecutorService timer) {
    SessionRoutes routes = new SessionRoutes(options.others());
    JsonRpcPeer peer = JsonRpcPeer.start(name, in, out, options.limits(), routes, timer);
    return new AcpConnection(options, routes, peer, new AcpCalls(peer, options.timeouts(), timer));
  }

  /**
   * Shakes hands: the first call of all.
   *
   * @throws AcpException with reason {@code VERSION} if the agent speaks another version
   */
  public Initialized initialize() throws AcpException, InterruptedException {
    ObjectNode params = JsonNodeFactory.instance.objectNode().put("protocolVersion", VERSION);
    params.set("clientCapabilities", options.capabilities());
    params.putObject("clientInfo").put("name", "bridle").put("version", options.version());
    RawJson answer = calls.ask("initialize", params, options.timeouts().initialize());
    var version = Members.of(answer).json("protocolVersion");
    if (!version.isIntegralNumber() || version.intValue() != VERSION) {
      throw new AcpException(
          AcpException.Reason.VERSION,
          "The agent speaks version "
              + (version.isNumber() ? version.asText() : "unknown")
              + " of the protocol, expected "
              + VERSION);
    }
    Initialized agent = Initialized.of(answer);
    calls.logins(agent.authMethods());
    return agent;
  }

  /**
   * Sends a notification that is not of a session, such as a vendor's.
   *
   * @throws AcpException if the agent can't be notified
   */
  public void notify(String method, ObjectNode params) throws AcpException {
    calls.notify(method, params);
  }

  /** Logs in by one of the ways that the agent offers. */
  public void authenticate(String methodId) throws AcpException, InterruptedException {
    calls.ask(
        "authenticate",
        JsonNodeFactory.instance.objectNode().put("methodId", methodId),
        options.timeouts().login());
  }

  /** Opens a session as below, of which nothing is known to have been recorded before. */
  public OpenedSession open(
      Initialized agent,
      Path folder,
      Optional<String> earlier,
      ArrayNode mcpServers,
      SessionListener listener)
      throws AcpException, InterruptedException {
    return open(agent, folder, earlier, new SessionHistory(), mcpServers, listener);
  }

  /**
   * Takes a session up, or makes one. What an agent says it can do it may not serve: so a session
   * that can't be resumed is loaded, and one that can't be loaded is replaced by a fresh one.
   *
   * @param agent how the agent introduced itself
   * @param folder the folder that the session works in, absolute
   * @param earlier the agent's id of the session to take up
   * @param history what that session has reported before, which an agent may repeat
   * @param mcpServers servers that the agent is to use, as ACP spells them
   * @throws AcpException with reason {@code LOGIN} if a person has to log in first
   */
  public OpenedSession open(
      Initialized agent,
      Path folder,
      Optional<String> earlier,
      SessionHistory history,
      ArrayNode mcpServers,
      SessionListener listener)
      throws AcpException, InterruptedException {
    boolean bridge = agent.capabilities().speaksBridge();
    BiFunction<String, SessionHistory, AcpSession> taken =
        (id, known) -> new AcpSession(id, calls, listener, bridge, options.completesInput(), known);
    ObjectNode params = JsonNodeFactory.instance.objectNode().put("cwd", folder.toString());
    params.set("mcpServers", mcpServers.deepCopy());
    if (!options.sessionMeta().isEmpty()) {
      params.set("_meta", options.sessionMeta().deepCopy());
    }
    if (earlier.isPresent()) {
      if (agent.capabilities().resume()) {
        Optional<OpenedSession> resumed =
            takeUp(How.RESUMED, params, taken.apply(earlier.get(), history));
        if (resumed.isPresent()) {
          return resumed.get();
        }
      }
      if (agent.capabilities().load()) {
        Optional<OpenedSession> loaded =
            takeUp(How.LOADED, params, taken.apply(earlier.get(), history));
        if (loaded.isPresent()) {
          return loaded.get();
        }
      }
    }
    return create(
        earlier.isPresent() ? How.FRESH : How.NEW,
        params,
        id -> taken.apply(id, new SessionHistory()));
  }

  private Optional<OpenedSession> takeUp(How how, ObjectNode params, AcpSession session)
      throws AcpException, InterruptedException {
    routes.add(session);
    String method = how == How.LOADED ? "session/load" : "session/resume";
    try {
      RawJson answer =
          calls.ask(
              method, params.deepCopy().put("sessionId", session.id()), options.timeouts().open());
      session.opened(how == How.LOADED);
      return Optional.of(new OpenedSession(session, how, answer.alone()));
    } catch (AcpException e) {
      routes.remove(session);
      if (e.reason() == AcpException.Reason.LOGIN) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private OpenedSession create(How how, ObjectNode params, Function<String, AcpSession> sessions)
      throws AcpException, InterruptedException {
    RawJson answer = calls.ask("session/new", params, options.timeouts().open());
    String id = Members.of(answer).text("sessionId");
    if (id.isEmpty()) {
      throw new AcpException(
          AcpException.Reason.BAD_ANSWER, "session/new was answered without a sessionId");
    }
    AcpSession session = sessions.apply(id);
    CompletableFuture<Object> added = new CompletableFuture<>();
    boolean turn =
        calls.inTurn(
            () -> {
              session.opened(false);
              routes.addNew(session);
              added.complete(session);
            });
    try {
      Object first = turn ? CompletableFuture.anyOf(added, peer.ended()).get() : peer.ended().get();
      if (first != session) {
        throw new AcpException(
            AcpException.Reason.NO_ANSWER, "The agent ended while a session was opened");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A turn of the connection failed", e);
    }
    return new OpenedSession(session, how, answer.alone());
  }

  /** The connection below: for figures, diagnosis, and methods that are not of ACP. */
  public JsonRpcPeer peer() {
    return peer;
  }

  /** Ends the connection, and with it all sessions and calls. The process lives on. */
  @Override
  public void close() {
    peer.close();
  }
}
