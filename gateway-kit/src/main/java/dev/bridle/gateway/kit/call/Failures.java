package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpStatusException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests that failed or are rejected. */
public final class Failures {
  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  /**
   * Responds to a request that the gateway rejects; with the core's error instead if the
   * credentials are invalid.
   */
  public static CompletableFuture<HttpResponse> refuse(
      CoreCalls core, Call call, Throwable failure) {
    return core.refusal(call, error(call, failure))
        .thenApply(error -> call.errors().response(error, call.requestId()));
  }

  /** Returns the response to a failed request. */
  public static HttpResponse response(Call call, Throwable failure) {
    return call.errors().response(error(call, failure), call.requestId());
  }

  /**
   * Returns the error for a failure. Logs an unexpected failure and omits its cause from the error.
   */
  public static ProtocolError error(Call call, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return error(cause, call.requestId());
  }

  static ProtocolError error(Throwable cause, String requestId) {
    if (cause instanceof ProtocolException refusal) {
      return refusal.error();
    }
    if (ClientDisconnects.is(cause)) {
      return ClientDisconnects.ERROR;
    }
    if (cause instanceof HttpStatusException malformed && malformed.httpStatus().isClientError()) {
      // Of the connection: a broken chunk, say. Anybody can send one as often as they like.
      log.debug("Request {} is malformed", requestId, cause);
      return ProtocolError.of(ErrorCode.ERROR_CODE_INVALID_REQUEST, "The request is malformed.");
    }
    log.error("Request {} failed in the gateway", requestId, cause);
    return ProtocolError.of(
        ErrorCode.ERROR_CODE_INTERNAL_ERROR,
        "An unexpected error occurred; see the server's log for request id " + requestId + ".");
  }
}
