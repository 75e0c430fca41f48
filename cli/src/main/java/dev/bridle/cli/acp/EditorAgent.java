package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.PeerHandler;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.host.rpc.RpcError;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's side of the Agent Client Protocol. Requests are done by threads of their own, since
 * they wait for the server; those that only change the state of a session take effect in the order
 * in which they come.
 */
final class EditorAgent implements PeerHandler {
  private static final Logger log = LoggerFactory.getLogger(EditorAgent.class);

  private final Handshake handshake;
  private final EditorSessions sessions;
  private final Turns turns;
  private final History history;
  private final EditorLink link;
  private final Executor executor;
  private final ShortRequests unanswered;

  /** The sessions of the prompts that are worked at, by the ids of their requests. */
  private final Map<String, EditorSession> prompts = new ConcurrentHashMap<>();

  private boolean introduced;

  EditorAgent(
      Handshake handshake,
      EditorSessions sessions,
      Turns turns,
      History history,
      EditorLink link,
      Executor executor,
      ShortRequests unanswered) {
    this.handshake = handshake;
    this.sessions = sessions;
    this.turns = turns;
    this.history = history;
    this.link = link;
    this.executor = executor;
    this.unanswered = unanswered;
  }

  @Override
  public boolean answersNoise() {
    return true;
  }

  @Override
  public void request(IncomingRequest request) {
    answer(request, () -> take(request));
  }

  private void take(IncomingRequest request) {
    if (!introduced && !request.method().equals("initialize")) {
      throw AcpRefusal.of(RpcError.INVALID_REQUEST, "initialize must be the first request");
    }
    switch (request.method()) {
      case "initialize" -> {
        Handshake.check(Params.of(request.params()));
        introduced = true;
        later(request, handshake::initialize);
      }
      case "authenticate" -> later(request, () -> handshake.authenticate(params(request)));
      case "session/new" -> later(request, () -> sessions.create(params(request)));
      case "session/load" -> later(request, () -> history.load(params(request)));
      case "session/resume" -> later(request, () -> history.resume(params(request)));
      case "session/list" -> later(request, () -> sessions.list(params(request)));
      case "session/close" -> respond(request, close(params(request)));
      case "session/set_mode" -> respond(request, setMode(params(request)));
      case "session/prompt" -> prompt(request);
      default ->
          throw AcpRefusal.of(
              RpcError.METHOD_NOT_FOUND, "Nobody serves " + Texts.cut(request.method(), 128));
    }
  }

  private static Params params(IncomingRequest request) {
    return Params.of(request.params());
  }

  private void prompt(IncomingRequest request) {
    Params params = params(request);
    EditorSession session = sessions.need(params.session());
    ArrayNode parts = PromptInput.parts(params.json().path("prompt"));
    Turn turn = turns.begin(session);
    String id = request.id().toString();
    prompts.put(id, session);
    try {
      executor.execute(
          () -> answer(request, () -> respond(request, ended(id, session, turn, parts))));
    } catch (RejectedExecutionException e) {
      prompts.remove(id);
      session.end(turn);
      throw tooMany();
    }
  }

  private ObjectNode ended(String id, EditorSession session, Turn turn, ArrayNode parts) {
    try {
      return turns.prompt(session, turn, parts);
    } finally {
      prompts.remove(id); // Before the answer, after which the next prompt may come.
    }
  }

  private ObjectNode setMode(Params params) {
    EditorSession session = sessions.need(params.session());
    session.mode(params.text("modeId"));
    link.tell(
        session.id(),
        JsonLines.object()
            .put("sessionUpdate", "current_mode_update")
            .put("currentModeId", session.mode()));
    return JsonLines.object();
  }

  private ObjectNode close(Params params) {
    EditorSession session = sessions.need(params.session());
    turns.cancel(session);
    sessions.close(session.id());
    return JsonLines.object();
  }

  /** Does what waits on a thread of its own. */
  private void later(IncomingRequest request, Supplier<ObjectNode> work) {
    unanswered.begin();
    try {
      executor.execute(
          () -> {
            try {
              answer(request, () -> respond(request, work.get()));
            } finally {
              unanswered.end();
            }
          });
    } catch (RejectedExecutionException e) {
      unanswered.end();
      throw tooMany();
    }
  }

  private static AcpRefusal tooMany() {
    return AcpRefusal.of(RpcError.INTERNAL, "Too many requests are being worked on");
  }

  private static void respond(IncomingRequest request, JsonNode result) {
    var unused = request.respond(result);
  }

  /** Does something for a request, which is answered with an error if that fails. */
  private static void answer(IncomingRequest request, Runnable work) {
    try {
      work.run();
    } catch (AcpRefusal e) {
      var unused = request.fail(e.error());
    } catch (CommandFailed e) {
      var unused = request.fail(AcpRefusal.of(e).error());
    } catch (EditorLink.EditorGone e) {
      log.debug("Nobody is there to be answered", e);
    } catch (RuntimeException e) {
      log.error("{} has failed", request.method(), e);
      var unused =
          request.fail(RpcError.of(RpcError.INTERNAL, "An error of Bridle; its log has more"));
    }
  }

  @Override
  public void notification(String method, RawJson params, RawJson whole) {
    try {
      switch (method) {
        case "session/cancel" ->
            sessions.find(Params.of(params).session()).ifPresent(turns::cancel);
        case "$/cancel_request" -> cancelPrompt(Params.of(params).json().path("requestId"));
        default -> log.debug("Nobody listens to {}", method);
      }
    } catch (AcpRefusal e) {
      log.warn("{} can't be read: {}", method, e.getMessage());
    }
  }

  /** Other requests are answered soon, so that they go on. */
  private void cancelPrompt(JsonNode requestId) {
    Optional.ofNullable(prompts.get(requestId.toString())).ifPresent(turns::cancel);
  }
}
