package dev.bridle.host.bridge;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes an answer, of which no more is read than was allowed and one byte to tell that. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
  private final int most;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final CompletableFuture<Flow.Subscription> subscribed = new CompletableFuture<>();

  BoundedBody(int most) {
    this.most = most;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    if (subscribed.complete(subscription)) {
      subscription.request(Long.MAX_VALUE);
    } else {
      subscription.cancel();
    }
  }

  @Override
  public void onNext(List<ByteBuffer> received) {
    for (ByteBuffer buffer : received) {
      byte[] part = new byte[Math.min(buffer.remaining(), most + 1 - bytes.size())];
      buffer.get(part);
      bytes.writeBytes(part);
    }
    if (bytes.size() > most) {
      subscribed.join().cancel();
      onComplete();
    }
  }

  @Override
  public void onError(Throwable why) {
    body.completeExceptionally(why);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
