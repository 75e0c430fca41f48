package dev.bridle.gateway.call;

import com.linecorp.armeria.common.logging.RequestLog;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.error.ProtocolError;
import dev.bridle.gateway.error.ProtocolException;
import java.util.concurrent.CompletableFuture;

/**
 * Reads request bodies after authentication and within a memory budget: a request without valid
 * credentials costs only its headers, and one tenant can't use the budget of others. The memory of
 * a body is released when its request ends.
 */
public final class Bodies {
  /** The fraction of the budget for requests without credentials. */
  private static final int OPEN_PART = 4;

  private final Callers callers;
  private final long maxBodyBytes;
  private final BodyBudget budget;
  private final BodyBudget openBudget;

  /**
   * @param core the core, which checks credentials
   * @param maxPendingBytes the maximum bytes of bodies in progress
   * @param maxBodyBytes the maximum size of a body; at least one such body always fits the budget
   */
  public Bodies(CoreCalls core, long maxPendingBytes, long maxBodyBytes) {
    this.callers = new Callers(core);
    this.maxBodyBytes = maxBodyBytes;
    this.budget = new BodyBudget(maxPendingBytes, Math.max(maxBodyBytes, maxPendingBytes / 2));
    long open = Math.max(maxBodyBytes, maxPendingBytes / OPEN_PART);
    this.openBudget = new BodyBudget(open, Math.max(maxBodyBytes, open / 2));
  }

  /**
   * Reads the body of a request, with credentials if its route requires them. Fails with {@code
   * unauthenticated}, then {@code payload_too_large}, or {@code service_unavailable} if too many
   * bodies are in progress.
   */
  public CompletableFuture<byte[]> read(Exchange exchange) {
    if (exchange.route().rule().getOpen()) {
      return readOpen(exchange, maxBodyBytes, sender(exchange));
    }
    return admit(exchange)
        .thenCompose(
            tenant -> {
              HeaderChecks.length(exchange.request().headers(), maxBodyBytes);
              return read(exchange, maxBodyBytes, budget.of(tenant));
            });
  }

  /**
   * Reads the body of a request without credentials.
   *
   * @param holder the holder whose share of the budget is used, such as {@link #sender}
   */
  public CompletableFuture<byte[]> readOpen(Exchange exchange, long limit, String holder) {
    HeaderChecks.length(exchange.request().headers(), limit);
    return read(exchange, limit, openBudget.of(holder));
  }

  /** Returns the remote address of a request, as the holder of its body's memory. */
  public static String sender(Exchange exchange) {
    return "address " + exchange.ctx().remoteAddress().getAddress();
  }

  /** Returns the tenant of a request's credentials, or fails with {@code unauthenticated}. */
  public CompletableFuture<String> admit(Exchange exchange) {
    return callers.tenant(exchange);
  }

  /** Returns a reservation for the messages of a tenant's WebSocket. */
  public BodyBudget.Reservation messagesOf(String tenant) {
    return budget.of(tenant);
  }

  /** Returns the error for a body that exceeds the memory budget. */
  public static ProtocolException busy() {
    return new ProtocolException(
        ProtocolError.of(
            ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
            "Too many request bodies are in progress; retry after the time in" + " Retry-After."));
  }

  private static CompletableFuture<byte[]> read(
      Exchange exchange, long limit, BodyBudget.Reservation reservation) {
    CompletableFuture<RequestLog> over = exchange.ctx().log().whenComplete();
    var unused = over.thenRun(reservation::close);
    return BodyReader.read(exchange.request(), limit, reservation, exchange.ctx().eventLoop());
  }
}
