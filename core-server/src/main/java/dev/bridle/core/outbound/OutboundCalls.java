package dev.bridle.core.outbound;

import java.util.concurrent.CompletableFuture;

/** Sends requests out. */
@FunctionalInterface
public interface OutboundCalls {
  /** Sends a request; the future fails with an {@link OutboundException}. */
  CompletableFuture<OutboundAnswer> send(OutboundRequest request);
}
