package dev.bridle.host.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.rpc.OpenCalls.Call;
import dev.bridle.host.rpc.PeerException.Reason;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * One end of a JSON-RPC 2.0 connection over a pair of byte streams, a message a line. It has three
 * threads: one reads, one writes (two full pipes would be a deadlock otherwise), and one calls the
 * handler and completes calls, in the order of arrival. Thread-safe.
 *
 * <p>A peer ends by {@link #close}, when the input ends, when a stream fails, when the other side
 * reads nothing while answers to it pile up, or when the handler takes nothing for too long. All
 * open calls then fail with that reason. The output is closed once everything sent before is
 * written; the input belongs to the caller, who makes it end (as a killed process does).
 */
public final class JsonRpcPeer implements AutoCloseable {
  /** What the other side wrote before it closed its input may still be on its way. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final ScheduledExecutorService timer;
  private final PeerCounters counters = new PeerCounters();
  private final Ending ending = new Ending();
  private final CompletableFuture<PeerException> ended = new CompletableFuture<>();
  private final OpenCalls calls;
  private final Outbox outbox;
  private final Inbox inbox;

  private JsonRpcPeer(
      String name,
      InputStream in,
      OutputStream out,
      PeerLimits limits,
      PeerHandler handler,
      ScheduledExecutorService timer) {
    this.timer = timer;
    this.calls = new OpenCalls(limits.calls());
    this.outbox = new Outbox(name, out, limits, this::writeFailed);
    Dispatch dispatch = new Dispatch(handler, calls, counters, this::answer);
    this.inbox =
        new Inbox(
            name,
            new LineReader(in, limits.lineBytes()),
            limits,
            counters,
            dispatch::accept,
            this::readFailed,
            () -> lastWords(dispatch));
  }

  /**
   * Returns a peer that has begun to read.
   *
   * @param name begins the names of its threads
   * @param timer runs timeouts; it may serve many peers
   */
  public static JsonRpcPeer start(
      String name,
      InputStream in,
      OutputStream out,
      PeerLimits limits,
      PeerHandler handler,
      ScheduledExecutorService timer) {
    JsonRpcPeer peer = new JsonRpcPeer(name, in, out, limits, handler, timer);
    if (handler.answersNoise()) {
      peer.inbox.passNoise();
    }
    peer.inbox.begin();
    peer.outbox.begin();
    return peer;
  }

  /**
   * Calls a method. The future completes with the result as it was spelled, or exceptionally with
   * {@link AnsweredError} or {@link PeerException}. Actions that depend on it run on the thread
   * that calls the handler, and must be short; cancelling it gives the call up.
   *
   * @param params an object or an array
   */
  public CompletableFuture<RawJson> call(String method, JsonNode params, Duration timeout) {
    return call(method, params, timeout, (result, failure) -> {});
  }

  /**
   * Calls a method as above, and tells {@code answered} of the result or the failure, whichever is
   * not null: if an answer came, before anything that the other side sent after it.
   */
  public CompletableFuture<RawJson> call(
      String method,
      JsonNode params,
      Duration timeout,
      BiConsumer<? super RawJson, ? super Throwable> answered) {
    Call call;
    try {
      call = calls.begin(method);
    } catch (PeerException e) {
      answered.accept(null, e);
      return CompletableFuture.failedFuture(e);
    }
    // Before the message is sent: an answer may be there before a later line of this method.
    var unused =
        call.answer()
            .whenComplete(
                (result, failure) -> {
                  calls.take(call.id());
                  answered.accept(result, failure);
                });
    try {
      Future<?> timing =
          timer.schedule(() -> timeOut(call, timeout), timeout.toNanos(), TimeUnit.NANOSECONDS);
      var unusedEnd = call.answer().whenComplete((result, failure) -> timing.cancel(false));
      send(call, params);
    } catch (RejectedExecutionException e) {
      call.fail(Reason.CLOSED, "The timer of the peer has ended");
    }
    return call.answer();
  }

  private void send(Call call, JsonNode params) {
    ObjectNode message = message(call.method(), params).put("id", call.id());
    try {
      outbox.send(Json.bytes(message));
    } catch (PeerException e) {
      call.answer().completeExceptionally(e);
    }
  }

  private void timeOut(Call call, Duration timeout) {
    calls
        .take(call.id())
        .ifPresent(
            open ->
                open.fail(
                    Reason.TIMED_OUT,
                    call.method() + " was not answered within " + inWords(timeout)));
  }

  private static String inWords(Duration time) {
    return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  /**
   * Gives up a call of this peer: its future is cancelled, and an answer to it is ignored.
   *
   * @return the id of the call, by which it can be given up; empty if it is over
   */
  public Optional<Long> giveUp(CompletableFuture<RawJson> call) {
    Optional<Call> open = calls.find(call);
    open.ifPresent(found -> found.answer().cancel(false));
    return open.map(Call::id);
  }

  /**
   * Waits until all that was sent is written, but for the last message, so that a sender of many
   * does not run ahead of a slow reader.
   *
   * @return false once the time is over
   */
  public boolean awaitWritten(Duration patience) throws InterruptedException {
    return outbox.awaitEmpty(patience.toNanos());
  }

  /**
   * Waits for the answer to a call.
   *
   * @throws IllegalStateException on the thread that calls the handler, for which the answer would
   *     never come
   */
  public RawJson await(CompletableFuture<RawJson> call)
      throws AnsweredError, PeerException, InterruptedException {
    if (inbox.dispatches(Thread.currentThread()) && !call.isDone()) {
      throw new IllegalStateException("The thread that delivers answers must not wait for one");
    }
    try {
      return call.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AnsweredError error) {
        throw error;
      }
      if (e.getCause() instanceof PeerException failure) {
        throw failure;
      }
      throw new IllegalStateException("A call failed by itself", e.getCause());
    }
  }

  /**
   * Sends a notification.
   *
   * @throws PeerException if it can't be queued; nothing of it is sent then
   */
  public void notify(String method, JsonNode params) throws PeerException {
    if (ending.why().isPresent()) {
      PeerException why = ending.why().get();
      throw new PeerException(why.reason(), why.getMessage());
    }
    outbox.send(Json.bytes(message(method, params)));
  }

  private static ObjectNode message(String method, JsonNode params) {
    ObjectNode message = Json.MAPPER.createObjectNode();
    message.put("jsonrpc", "2.0").put("method", method).set("params", params);
    return message;
  }

  private void answer(byte[] line) {
    try {
      outbox.send(line);
    } catch (PeerException e) {
      if (e.reason() == Reason.MESSAGE_TOO_LONG) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
      end(e);
    }
  }

  /**
   * Runs an action on the thread that calls the handler, after what has arrived.
   *
   * @return whether it will run: not while as much waits as may, nor after the end
   */
  public boolean later(Runnable action) {
    return inbox.offer(action);
  }

  /** Whether the current thread is the one that calls the handler. */
  public boolean delivers() {
    return inbox.dispatches(Thread.currentThread());
  }

  /** Whether the peer has ended or is about to. */
  public boolean ending() {
    return ending.why().isPresent();
  }

  /** What was counted so far. */
  public PeerFigures figures() {
    return counters.figures();
  }

  /** The end of what arrived and was no message: logs, banners, traces of a crash. */
  public String noise() {
    return inbox.noise().wholeLines();
  }

  /** Completes with the reason once the peer has ended and the handler has had its last call. */
  public CompletableFuture<PeerException> ended() {
    return ended.copy();
  }

  /** Ends the peer. Open calls fail at once; what was sent before is still written. */
  @Override
  public void close() {
    end(new PeerException(Reason.CLOSED, "This side closed the connection"));
  }

  /** Ends at once: what has arrived and was not handed over is dropped. */
  private void end(PeerException why) {
    calls.end(ending.begin(why));
    outbox.finish();
    inbox.discard();
  }

  /** Ends once everything that has arrived is handed over. */
  private void readFailed(PeerException why) {
    if (why.reason() == Reason.INCOMING_STALLED) {
      end(why);
    } else {
      var unused = ending.begin(why);
      inbox.finish();
    }
  }

  private void writeFailed(PeerException why) {
    try {
      var unused = timer.schedule(() -> end(why), LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      end(why);
    }
  }

  private void lastWords(Dispatch dispatch) {
    PeerException why =
        ending.begin(new PeerException(Reason.CLOSED, "The thread of the handler was stopped"));
    calls.end(why);
    outbox.finish();
    dispatch.ended(why);
    ended.complete(why);
  }
}
