package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Gathers a request's body up to a limit, and stops reading where it is passed. */
public final class BodyReader implements Subscriber<HttpObject> {

  private final long limit;
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final List<byte[]> pieces = new ArrayList<>(1);
  private Subscription subscription;
  private long size;

  private BodyReader(long limit) {
    this.limit = limit;
  }

  /** The body; fails with {@code payload_too_large} where it is above the limit. */
  public static CompletableFuture<byte[]> read(
      HttpRequest request, long limit, EventExecutor executor) {
    BodyReader reader = new BodyReader(limit);
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
    size += data.length();
    if (size > limit) {
      subscription.cancel();
      body.completeExceptionally(Gates.tooLarge(limit));
    } else {
      pieces.add(data.array());
    }
  }

  @Override
  public void onError(Throwable cause) {
    body.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    if (pieces.size() == 1) {
      body.complete(pieces.get(0));
      return;
    }
    byte[] whole = new byte[(int) size];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, whole, at, piece.length);
      at += piece.length;
    }
    body.complete(whole);
  }
}
