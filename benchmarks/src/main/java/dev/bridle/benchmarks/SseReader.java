package dev.bridle.benchmarks;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A reader over HTTP/1.1 and server-sent events, with a connection of its own. */
final class SseReader implements Subscriber<HttpObject> {
  private static final String EVENT = "\"payload\":{\"n\":";

  private final Arrivals arrivals = new Arrivals();
  private final StringBuilder text = new StringBuilder();
  private boolean live;

  /** Makes a client whose every stream is a connection. */
  static WebClient client(URI base, ClientFactory factory) {
    return WebClient.builder("h1c://" + base.getAuthority())
        .factory(factory)
        .responseTimeoutMillis(0)
        .maxResponseLength(0)
        .build();
  }

  /** Begins to read a session's stream from its beginning. */
  static EventReader of(WebClient web, String authorization, String session) {
    SseReader reader = new SseReader();
    web.execute(
            RequestHeaders.builder(HttpMethod.GET, "/v1/sessions/" + session + "/events/stream")
                .add("authorization", authorization)
                .add("harn-agents-protocol-version", "agents-protocol-2026-04-25")
                .build())
        .subscribe(reader);
    return reader.arrivals;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(HttpObject part) {
    if (part instanceof ResponseHeaders headers && !headers.status().isSuccess()) {
      arrivals.ended(new IllegalStateException("the stream was refused: " + headers.status()));
    } else if (part instanceof HttpData data) {
      text.append(data.toString(StandardCharsets.UTF_8));
      takeFrames();
    }
  }

  private void takeFrames() {
    int lineEnd = text.indexOf("\n");
    int from = 0;
    while (lineEnd >= 0) {
      takeLine(from, lineEnd);
      from = lineEnd + 1;
      lineEnd = text.indexOf("\n", from);
    }
    text.delete(0, from);
  }

  private void takeLine(int from, int end) {
    if (!live && text.substring(from, end).equals(": history end")) {
      live = true;
      arrivals.live();
    }
    int at = text.indexOf(EVENT, from);
    if (at >= 0 && at < end) {
      int number = at + EVENT.length();
      arrivals.came(Integer.parseInt(text, number, text.indexOf("}", number), 10));
    }
  }

  @Override
  public void onError(Throwable failure) {
    arrivals.ended(failure);
  }

  @Override
  public void onComplete() {
    arrivals.ended(new IllegalStateException("the server ended the stream"));
  }
}
