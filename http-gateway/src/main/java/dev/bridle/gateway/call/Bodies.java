package dev.bridle.gateway.call;

import com.linecorp.armeria.common.logging.RequestLog;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.error.ProtocolError;
import dev.bridle.gateway.error.ProtocolException;
import java.util.concurrent.CompletableFuture;

/**
 * Reads bodies once it is known whose they are, and within the memory that there is for them: a
 * request without good credentials costs no more than its headers, and one tenant's bodies leave
 * room for those of others. What a body takes is given back when its request is over.
 */
public final class Bodies {
  /** Of the budget, the part that requests without credentials may have. */
  private static final int OPEN_PART = 4;

  private final Callers callers;
  private final long maxBodyBytes;
  private final BodyBudget budget;
  private final BodyBudget openBudget;

  /**
   * @param core where credentials are checked
   * @param maxPendingBytes how many bytes of bodies may be under way
   * @param maxBodyBytes the longest body, which must always fit once
   */
  public Bodies(CoreCalls core, long maxPendingBytes, long maxBodyBytes) {
    this.callers = new Callers(core);
    this.maxBodyBytes = maxBodyBytes;
    this.budget = new BodyBudget(maxPendingBytes, Math.max(maxBodyBytes, maxPendingBytes / 2));
    long open = Math.max(maxBodyBytes, maxPendingBytes / OPEN_PART);
    this.openBudget = new BodyBudget(open, Math.max(maxBodyBytes, open / 2));
  }

  /**
   * Reads the body of a request, with credentials where its route asks for them. Fails with {@code
   * unauthenticated}, then {@code payload_too_large}, or {@code service_unavailable} where too many
   * bodies are under way.
   */
  public CompletableFuture<byte[]> read(Exchange exchange) {
    if (exchange.route().rule().getOpen()) {
      return readOpen(exchange, maxBodyBytes, sender(exchange));
    }
    return admit(exchange)
        .thenCompose(
            tenant -> {
              Gates.length(exchange.request().headers(), maxBodyBytes);
              return read(exchange, maxBodyBytes, budget.of(tenant));
            });
  }

  /**
   * Reads the body of a request without credentials.
   *
   * @param holder whose part of the memory it takes, such as {@link #sender}
   */
  public CompletableFuture<byte[]> readOpen(Exchange exchange, long limit, String holder) {
    Gates.length(exchange.request().headers(), limit);
    return read(exchange, limit, openBudget.of(holder));
  }

  /** Returns the address that a request comes from, as the holder of what its body takes. */
  public static String sender(Exchange exchange) {
    return "address " + exchange.ctx().remoteAddress().getAddress();
  }

  /** Returns the tenant of a request's credentials, or fails with {@code unauthenticated}. */
  public CompletableFuture<String> admit(Exchange exchange) {
    return callers.tenant(exchange);
  }

  /** Returns room for the messages of a tenant's WebSocket. */
  public BodyBudget.Reservation messagesOf(String tenant) {
    return budget.of(tenant);
  }

  /** The refusal of a body that there is no room for now. */
  public static ProtocolException busy() {
    return new ProtocolException(
        ProtocolError.of(
            ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
            "Too many request bodies are under way; send it again after the time in"
                + " Retry-After."));
  }

  private static CompletableFuture<byte[]> read(
      Exchange exchange, long limit, BodyBudget.Reservation reservation) {
    CompletableFuture<RequestLog> over = exchange.ctx().log().whenComplete();
    var unused = over.thenRun(reservation::close);
    return BodyReader.read(exchange.request(), limit, reservation, exchange.ctx().eventLoop());
  }
}
