package dev.bridle.core.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Somebody outside who takes whatever is told, and answers what is asked, at once. */
final class Outside implements OutboundCalls {
  private final List<String> told = new ArrayList<>();

  private String news = "[]";

  /** Answers so from now on where it is asked. */
  void publish(String list) {
    news = list;
  }

  @Override
  public CompletableFuture<OutboundResponse> send(OutboundRequest request) {
    return send(request, Integer.MAX_VALUE);
  }

  @Override
  public CompletableFuture<OutboundResponse> send(OutboundRequest request, int maxAnswerBytes) {
    if (request.method() == OutboundRequest.Method.GET) {
      return CompletableFuture.completedFuture(
          new OutboundResponse(200, Map.of("etag", List.of("\"a\"")), news.getBytes(UTF_8), false));
    }
    told.add(request.headers().get("x-bridle-delivery"));
    return CompletableFuture.completedFuture(
        new OutboundResponse(204, Map.of(), new byte[0], false));
  }

  /** Returns the deliveries that came, each as often as it did. */
  List<String> told() {
    return List.copyOf(told);
  }
}
