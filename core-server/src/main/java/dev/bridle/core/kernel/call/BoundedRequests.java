package dev.bridle.core.kernel.call;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.RequestInfo;
import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the memory that requests on a network listener take while they arrive: gRPC gathers a
 * message before anything else sees it. Bytes are counted as they come, for all callers, for each
 * tenant, and for all who have sent no credential; a call that is too much is closed as {@code
 * service_unavailable}. A call counts for something from its headers on, until its caller is known.
 * Calls without a credential go on counting for that, and have to send their message in time.
 *
 * <p>As a tracer it counts, as an interceptor behind authentication it knows whose call it is.
 */
public final class BoundedRequests extends ServerStreamTracer.Factory implements ServerInterceptor {
  /**
   * How many bytes a listener may read at once. What arrived in one read stays in memory as long as
   * any of it does, so a frame that is smaller counts for as much.
   */
  public static final int READ_BYTES = 8 << 10;

  /** What an open call takes before it has sent anything else: its headers, and what serves it. */
  static final int HEAD_BYTES = 16 << 10;

  private static final Context.Key<Arriving> ARRIVING = Context.key("bridle-arriving");

  private final PendingBytes pending;
  private final Duration openTime;
  private final ScheduledExecutorService timer;

  /**
   * Creates it.
   *
   * @param pending counts the bytes
   * @param openTime in what time a call without a credential has to send its request
   */
  public BoundedRequests(PendingBytes pending, Duration openTime) {
    this.pending = pending;
    this.openTime = openTime;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "bridle-open-calls");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Returns how many bytes of requests are under way. */
  public long pendingBytes() {
    return pending.used();
  }

  /** Stops the clock of calls without credentials. */
  public void stop() {
    timer.shutdownNow();
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
    return new Arriving();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Arriving arriving = ARRIVING.get();
    Once<Q, R> once = new Once<>(call);
    String holder = Caller.of(Context.current()).map(Caller::tenant).orElse(PendingBytes.NOBODY);
    if (!arriving.begin(holder, () -> once.refuse(headers))) {
      once.refuse(headers);
      return new ServerCall.Listener<>() {};
    }
    Future<?> late =
        holder.equals(PendingBytes.NOBODY)
                && call.getMethodDescriptor().getType().clientSendsOneMessage()
            ? timer.schedule(() -> once.refuse(headers), openTime.toNanos(), TimeUnit.NANOSECONDS)
            : CompletableFuture.completedFuture(null);
    return new SimpleForwardingServerCallListener<>(next.startCall(once, headers)) {
      @Override
      public void onMessage(Q message) {
        late.cancel(false);
        super.onMessage(message);
        arriving.parsed();
      }

      @Override
      public void onComplete() {
        late.cancel(false);
        super.onComplete();
      }

      @Override
      public void onCancel() {
        late.cancel(false);
        super.onCancel();
      }
    };
  }

  /** What has arrived of one call. Called by the connection's thread. */
  private final class Arriving extends ServerStreamTracer {
    private Optional<Runnable> refusal = Optional.empty();
    private String holder = PendingBytes.NOBODY;

    /** What the call's head counts for. */
    private long head = HEAD_BYTES;

    /** The bytes of messages in memory. */
    private long arrived;

    /** What is taken of {@link #pending}: less than is there while the caller is not known yet. */
    private long held;

    private long whole;
    private boolean over;

    private Arriving() {
      held = pending.take(holder, head) ? head : 0;
    }

    @Override
    public Context filterContext(Context context) {
      return context.withValue(ARRIVING, this);
    }

    /**
     * Tells whose call it is, and counts for them what is there of it; returns false where that is
     * too much. A caller with a credential does not depend on what those without one have taken.
     */
    private synchronized boolean begin(String whose, Runnable refuse) {
      refusal = Optional.of(refuse);
      if (over) {
        return false;
      }
      giveBack(held);
      holder = whose;
      head = whose.equals(PendingBytes.NOBODY) ? HEAD_BYTES : 0;
      over = !pending.take(holder, head + arrived);
      if (!over) {
        held = head + arrived;
      }
      return !over;
    }

    @Override
    public void inboundWireSize(long bytes) {
      if (!take(Math.max(bytes, READ_BYTES))) {
        refusal().ifPresent(Runnable::run);
      }
    }

    private synchronized boolean take(long bytes) {
      if (over) {
        return true;
      }
      arrived += bytes;
      if (pending.take(holder, bytes)) {
        held += bytes;
        return true;
      }
      if (refusal.isEmpty()) {
        return true; // Nobody can refuse it yet, and its caller may have room.
      }
      over = true;
      giveBack(held);
      return false;
    }

    private synchronized Optional<Runnable> refusal() {
      return refusal;
    }

    @Override
    public synchronized void inboundMessageRead(int sequence, long wireSize, long unused) {
      whole = arrived;
    }

    /** A message is its receiver's from now on. */
    private synchronized void parsed() {
      arrived -= whole;
      whole = 0;
      giveBack(Math.max(0, held - head - arrived));
    }

    @Override
    public synchronized void streamClosed(Status status) {
      over = true;
      giveBack(held);
    }

    private void giveBack(long bytes) {
      held -= bytes;
      pending.giveBack(holder, bytes);
    }
  }

  /** A call that may be closed by the connection's thread as well as by its service. */
  private static final class Once<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private boolean closed;

    private Once(ServerCall<Q, R> call) {
      super(call);
    }

    private void refuse(Metadata headers) {
      StatusException status =
          ErrorMapper.status(
              ErrorMapper.detail(
                  ProtocolException.of(
                      ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
                      "Too much of requests is under way, or this one took too long; try again."),
                  RequestInfo.requestId(headers)));
      close(status.getStatus(), Optional.ofNullable(status.getTrailers()).orElseGet(Metadata::new));
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
      if (!closed) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public synchronized void sendMessage(R message) {
      if (!closed) {
        super.sendMessage(message);
      }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
      if (!closed) {
        closed = true;
        super.close(status, trailers);
      }
    }
  }
}
