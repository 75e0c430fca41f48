package dev.bridle.core.kernel.outbound;

import java.util.concurrent.CompletableFuture;

/** Sends requests out. */
public interface OutboundCalls {
  /** Sends a request; the future fails with an {@link OutboundException}. */
  CompletableFuture<OutboundAnswer> send(OutboundRequest request);

  /**
   * Sends a request whose answer may be longer, or must be shorter, than others'.
   *
   * @param maxAnswerBytes how much of the answer's body is read
   */
  CompletableFuture<OutboundAnswer> send(OutboundRequest request, int maxAnswerBytes);
}
