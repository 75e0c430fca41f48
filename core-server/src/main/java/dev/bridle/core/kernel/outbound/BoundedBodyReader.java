package dev.bridle.core.kernel.outbound;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.ResponseHeaders;
import io.netty.util.AsciiString;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Reads a response body up to a limit, then aborts the response. */
final class BoundedBodyReader implements Subscriber<HttpData> {
  private final ResponseHeaders headers;
  private final int limit;
  private final CompletableFuture<OutboundResponse> whole;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private Subscription subscription;

  BoundedBodyReader(ResponseHeaders headers, int limit, CompletableFuture<OutboundResponse> whole) {
    this.headers = headers;
    this.limit = limit;
    this.whole = whole;
  }

  @Override
  public void onSubscribe(Subscription to) {
    subscription = to;
    to.request(1);
  }

  @Override
  public void onNext(HttpData data) {
    int room = limit - body.size();
    body.write(data.array(), 0, Math.min(room, data.length()));
    if (data.length() > room) {
      subscription.cancel();
      complete(true);
    } else {
      subscription.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    whole.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    complete(false);
  }

  private void complete(boolean cut) {
    Map<String, List<String>> all = new TreeMap<>();
    for (AsciiString name : headers.names()) {
      all.put(name.toString(), headers.getAll(name));
    }
    whole.complete(new OutboundResponse(headers.status().code(), all, body.toByteArray(), cut));
  }
}
