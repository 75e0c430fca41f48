package dev.bridle.core.kernel.outbound;

import java.util.concurrent.CompletableFuture;

/** Sends HTTP requests to other systems. */
public interface OutboundCalls {
  /** Sends a request; the future fails with an {@link OutboundException}. */
  CompletableFuture<OutboundResponse> send(OutboundRequest request);

  /**
   * Sends a request with its own limit of the response body.
   *
   * @param maxAnswerBytes how many bytes of the response body are read
   */
  CompletableFuture<OutboundResponse> send(OutboundRequest request, int maxAnswerBytes);
}
