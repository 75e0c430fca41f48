package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.PeerException;
import dev.bridle.host.rpc.PeerHandler;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.host.rpc.RpcError;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Serves what a runtime asks of its host below ACP: {@code host/tools/list}, {@code builtin_call},
 * {@code tool_search/query}, {@code skills/list}, {@code skills/fetch} and {@code skill/match}; and
 * passes on what it notifies. A request that is malformed, or beyond what one runtime may have
 * under way, is an error at once; the runtime goes on. One that is cancelled by {@code
 * $/cancel_request} is an error, too, and what is under way for it ends.
 */
public final class BridgeHandler implements PeerHandler {
  /** How many requests of one runtime are under way at most. */
  static final int MOST_UNDER_WAY = 32;

  private final BridgeListener listener;
  private final ExecutorService workers = Executors.newCachedThreadPool(BridgeHandler::thread);
  private final SkillRequests skills;
  private final Map<String, Answering> methods;
  private final Semaphore free = new Semaphore(MOST_UNDER_WAY);

  /** What is being answered, by the ids of the requests as they were spelled. */
  private final Map<RawJson, RunningRequest> running = new ConcurrentHashMap<>();

  /** Makes the answer to a request. */
  interface Answering {
    JsonNode answer(JsonNode params) throws BadRequest, ToolFailure, InterruptedException;
  }

  /**
   * Creates the handler of one runtime.
   *
   * @param services what the runtime is offered
   * @param listener takes its notifications
   */
  public BridgeHandler(BridgeServices services, BridgeListener listener) {
    this.listener = listener;
    ToolRequests tools = new ToolRequests(services);
    this.skills = new SkillRequests(services.skills());
    this.methods =
        Map.of(
            "host/tools/list", params -> tools.list(),
            "builtin_call", tools::call,
            "tool_search/query", tools::search,
            "skills/list", params -> skills.list(),
            "skills/fetch", skills::fetch,
            "skill/match", skills::match);
  }

  /**
   * Returns whether the runtime is to be notified that the host's skills have changed since it
   * listed them; true once for each change. May wait for a server.
   */
  public boolean skillsHaveChanged() {
    return skills.haveChanged();
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "bridle-bridge");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void request(IncomingRequest request) {
    Answering method = methods.get(request.method());
    if (method == null) {
      request.fail(RpcError.of(RpcError.METHOD_NOT_FOUND, "Nobody serves " + request.method()));
    } else if (!free.tryAcquire()) {
      request.fail(
          RpcError.of(
              RpcError.INTERNAL,
              "More than " + MOST_UNDER_WAY + " requests are under way; wait for some"));
    } else {
      begin(request, method);
    }
  }

  private void begin(IncomingRequest request, Answering method) {
    RawJson params = request.params().alone();
    RawJson id = request.id().alone();
    RunningRequest now = new RunningRequest(request);
    running.put(id, now);
    try {
      workers.execute(
          () -> {
            try {
              now.begin();
              serve(request, now, method, params);
            } finally {
              now.end();
              running.remove(id, now);
              free.release();
            }
          });
    } catch (RejectedExecutionException e) {
      running.remove(id, now);
      free.release();
      request.fail(RpcError.of(RpcError.INTERNAL, "The host is ending"));
    }
  }

  private void serve(
      IncomingRequest request, RunningRequest now, Answering method, RawJson params) {
    try {
      request.respond(method.answer(BadRequest.object(params)));
    } catch (BadRequest e) {
      now.fail(RpcError.of(RpcError.INVALID_PARAMS, e.getMessage()));
    } catch (ToolFailure e) {
      now.fail(
          RpcError.of(
              e.isUnknown() ? RpcError.METHOD_NOT_FOUND : RpcError.INTERNAL, e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      now.fail(RpcError.of(RpcError.INTERNAL, "The task has ended"));
    } catch (RuntimeException e) {
      listener.failed(request.method(), e);
      now.fail(RpcError.of(RpcError.INTERNAL, "The host failed"));
    }
  }

  @Override
  public void notification(String method, RawJson params, RawJson whole) {
    switch (method) {
      case "agent/idle" -> {
        JsonNode idle = BadRequest.lenient(params);
        listener.idle(idle.path("iteration").asLong(0), idle.path("backoff_ms").asLong(0));
      }
      case "output" -> listener.output(BadRequest.lenient(params).path("text").asText(""));
      case "progress" -> listener.progress(params.alone());
      case "log" -> listener.log(params.alone());
      case "$/cancel_request" -> cancel(params);
      default -> {} // Vendors send what they like; a notification has no answer.
    }
  }

  private void cancel(RawJson params) {
    try {
      params
          .member("requestId")
          .flatMap(id -> Optional.ofNullable(running.get(id.alone())))
          .ifPresent(RunningRequest::cancel);
    } catch (BadJson e) {
      // It names no request.
    }
  }

  @Override
  public void ended(PeerException why) {
    workers.shutdownNow();
  }
}
