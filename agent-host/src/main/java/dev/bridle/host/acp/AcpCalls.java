package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.rpc.AnsweredError;
import dev.bridle.host.rpc.JsonRpcPeer;
import dev.bridle.host.rpc.PeerException;
import dev.bridle.host.rpc.RawJson;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Calls to one agent, and actions that take their turn among what it sends. Thread-safe. */
final class AcpCalls {
  private static final Duration TRY_AGAIN = Duration.ofMillis(20);

  private final JsonRpcPeer peer;
  private final AcpTimeouts timeouts;
  private final ScheduledExecutorService timer;
  private volatile List<Initialized.AuthMethod> logins = List.of();

  AcpCalls(JsonRpcPeer peer, AcpTimeouts timeouts, ScheduledExecutorService timer) {
    this.peer = peer;
    this.timeouts = timeouts;
    this.timer = timer;
  }

  AcpTimeouts timeouts() {
    return timeouts;
  }

  /** Returns a message that lists the logins that the agent offers. */
  void logins(List<Initialized.AuthMethod> offered) {
    logins = offered;
  }

  /** Returns what a call failed with. */
  AcpException failure(Throwable cause) {
    return AcpException.of(cause, OfferedLogins.sentence(logins));
  }

  /** Tells the result or the failure, in the order of what the agent sends. */
  void send(
      String method,
      JsonNode params,
      Duration timeout,
      BiConsumer<? super RawJson, ? super Throwable> answered) {
    var unused = peer.call(method, params, timeout, answered);
  }

  RawJson ask(String method, JsonNode params, Duration timeout)
      throws AcpException, InterruptedException {
    try {
      return peer.await(peer.call(method, params, timeout));
    } catch (AnsweredError | PeerException e) {
      throw failure(e);
    }
  }

  void notify(String method, JsonNode params) throws AcpException {
    try {
      peer.notify(method, params);
    } catch (PeerException e) {
      throw failure(e);
    }
  }

  /**
   * Runs an action on the connection's thread: at once if this is it, else after what has arrived.
   *
   * @return false if the connection has ended, and it will not run
   */
  boolean inTurn(Runnable action) {
    if (peer.delivers()) {
      action.run();
      return true;
    }
    if (peer.later(action)) {
      return true;
    }
    return !peer.ending() && afterPause(TRY_AGAIN, action);
  }

  /** As {@link #inTurn}, later. */
  boolean afterPause(Duration pause, Runnable action) {
    try {
      var unused = timer.schedule(() -> inTurn(action), pause.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }
}
