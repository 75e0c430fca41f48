package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.logging.RequestLog;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads request bodies after authentication and within a memory budget: a request without valid
 * credentials costs only its headers, and one tenant can't use the budget of others. The memory of
 * a body is released when its request ends.
 */
public final class Bodies {
  /** The fraction of the budget for requests without credentials. */
  private static final int OPEN_PART = 4;

  private static final int FIRST_BYTES = 4096;
  private static final byte[] EMPTY = {};

  private final Callers callers;
  private final long maxBodyBytes;
  private final BodyBudget budget;
  private final BodyBudget openBudget;

  /**
   * @param core the core, which checks credentials
   * @param maxPendingBytes the maximum bytes of bodies in progress
   * @param maxBodyBytes the maximum size of a body; at least one such body always fits the budget
   */
  public Bodies(CoreCalls core, long maxPendingBytes, long maxBodyBytes) {
    this.callers = new Callers(core);
    this.maxBodyBytes = maxBodyBytes;
    this.budget = new BodyBudget(maxPendingBytes, Math.max(maxBodyBytes, maxPendingBytes / 2));
    long open = Math.max(maxBodyBytes, maxPendingBytes / OPEN_PART);
    this.openBudget = new BodyBudget(open, Math.max(maxBodyBytes, open / 2));
  }

  /**
   * Reads the body of a request, with credentials if its route requires them. Fails with {@code
   * unauthenticated}, then {@code payload_too_large}, or {@code service_unavailable} if too many
   * bodies are in progress.
   */
  public CompletableFuture<byte[]> read(Call call) {
    return read(call, maxBodyBytes);
  }

  /**
   * Reads the body of a request as {@link #read(Call)} does.
   *
   * @param limit the maximum size of the body
   */
  public CompletableFuture<byte[]> read(Call call, long limit) {
    if (call.target().open()) {
      return readOpen(call, limit, sender(call));
    }
    return admit(call)
        .thenCompose(
            tenant -> {
              HeaderChecks.length(call.request().headers(), limit);
              return read(call, limit, budget.of(tenant));
            });
  }

  /**
   * Reads the body of a request without credentials.
   *
   * @param holder the holder whose share of the budget is used, such as {@link #sender}
   */
  public CompletableFuture<byte[]> readOpen(Call call, long limit, String holder) {
    HeaderChecks.length(call.request().headers(), limit);
    return read(call, limit, openBudget.of(holder));
  }

  /** Returns the remote address of a request, as the holder of its body's memory. */
  public static String sender(Call call) {
    return "address " + call.ctx().remoteAddress().getAddress();
  }

  /** Returns the tenant of a request's credentials, or fails with {@code unauthenticated}. */
  public CompletableFuture<String> admit(Call call) {
    return callers.tenant(call);
  }

  /**
   * Returns whose memory a request uses: the tenant of its credentials, or its remote address where
   * it needs none. Fails with {@code unauthenticated}.
   */
  public CompletableFuture<String> holder(Call call) {
    return call.target().open() ? CompletableFuture.completedFuture(sender(call)) : admit(call);
  }

  /** Returns a reservation for the messages of a tenant's WebSocket. */
  public BodyBudget.Reservation messagesOf(String tenant) {
    return budget.of(tenant);
  }

  /** Returns the error for a body that exceeds the memory budget. */
  public static ProtocolException busy() {
    return new ProtocolException(
        ProtocolError.of(
            ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
            "Too many request bodies are in progress; retry after the time in" + " Retry-After."));
  }

  private static CompletableFuture<byte[]> read(
      Call call, long limit, BodyBudget.Reservation reservation) {
    CompletableFuture<RequestLog> over = call.ctx().log().whenComplete();
    var unused = over.thenRun(reservation::close);
    Reader reader = new Reader(limit, reservation);
    call.request().subscribe(reader, call.ctx().eventLoop());
    return reader.body;
  }

  /**
   * Reads a body up to a limit into one growing array, and stops reading when the limit or the
   * memory budget is exceeded.
   */
  private static final class Reader implements Subscriber<HttpObject> {
    private final long limit;
    private final BodyBudget.Reservation reservation;
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final Pieces pieces = new Pieces();
    private byte[] gathered = EMPTY;
    private int size;
    private Subscription subscription;

    Reader(long limit, BodyBudget.Reservation reservation) {
      this.limit = limit;
      this.reservation = reservation;
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject object) {
      if (!(object instanceof HttpData data) || body.isDone()) {
        return;
      }
      byte[] piece = data.array();
      if ((long) size + piece.length > limit) {
        stop(HeaderChecks.tooLarge(limit));
      } else if (!pieces.take(piece.length)) {
        stop(Pieces.tooMany());
      } else if (!hasRoomFor(piece.length)) {
        stop(busy());
      } else {
        System.arraycopy(piece, 0, gathered, size, piece.length);
        size += piece.length;
      }
    }

    /** Grows by doubling up to the limit, so that the cost per byte stays constant. */
    private boolean hasRoomFor(int more) {
      if (size + more <= gathered.length) {
        return true;
      }
      long doubled = Math.max(FIRST_BYTES, 2L * gathered.length);
      int length = (int) Math.min(limit, Math.max(size + more, doubled));
      if (!reservation.grow(length - gathered.length)) {
        return false;
      }
      gathered = Arrays.copyOf(gathered, length);
      return true;
    }

    private void stop(Throwable refusal) {
      gathered = EMPTY;
      subscription.cancel();
      body.completeExceptionally(refusal);
    }

    @Override
    public void onError(Throwable cause) {
      gathered = EMPTY;
      body.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
      body.complete(gathered.length == size ? gathered : Arrays.copyOf(gathered, size));
    }
  }
}
