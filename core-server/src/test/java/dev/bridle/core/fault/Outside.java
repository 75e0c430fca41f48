package dev.bridle.core.fault;

import dev.bridle.core.outbound.OutboundAnswer;
import dev.bridle.core.outbound.OutboundCalls;
import dev.bridle.core.outbound.OutboundRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Somebody outside who takes whatever is told, at once. */
final class Outside implements OutboundCalls {
  private final List<String> told = new ArrayList<>();

  @Override
  public CompletableFuture<OutboundAnswer> send(OutboundRequest request) {
    told.add(request.headers().get("x-bridle-delivery"));
    return CompletableFuture.completedFuture(new OutboundAnswer(204, Map.of(), new byte[0], false));
  }

  /** Returns the deliveries that came, each as often as it did. */
  List<String> told() {
    return List.copyOf(told);
  }
}
