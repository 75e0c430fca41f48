package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import io.netty.util.concurrent.EventExecutor;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads a request's body up to a limit into one growing array, and stops reading when the limit or
 * the memory budget is exceeded.
 */
final class BodyReader implements Subscriber<HttpObject> {
  private static final int FIRST_BYTES = 4096;
  private static final byte[] EMPTY = {};

  private final long limit;
  private final BodyBudget.Reservation reservation;
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final Pieces pieces = new Pieces();
  private byte[] gathered = EMPTY;
  private int size;
  private Subscription subscription;

  private BodyReader(long limit, BodyBudget.Reservation reservation) {
    this.limit = limit;
    this.reservation = reservation;
  }

  /**
   * Reads a body. Fails with {@code payload_too_large} above the limit, and with {@code
   * service_unavailable} if the reservation can't grow.
   */
  static CompletableFuture<byte[]> read(
      HttpRequest request, long limit, BodyBudget.Reservation reservation, EventExecutor executor) {
    BodyReader reader = new BodyReader(limit, reservation);
    request.subscribe(reader, executor);
    return reader.body;
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
      stop(Bodies.busy());
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
