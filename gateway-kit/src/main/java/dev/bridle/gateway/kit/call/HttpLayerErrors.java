package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ErrorFormat;
import dev.bridle.gateway.kit.error.ProtocolError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renders errors of the HTTP layer (bad requests, timeouts, failures of handlers) in the protocol's
 * format.
 */
public final class HttpLayerErrors implements ServerErrorHandler {

  private static final Logger log = LoggerFactory.getLogger(HttpLayerErrors.class);

  private final ErrorFormat format;

  /** Renders them in this format. */
  public HttpLayerErrors(ErrorFormat format) {
    this.format = format;
  }

  @Override
  public HttpResponse onServiceException(ServiceRequestContext ctx, Throwable cause) {
    if (cause instanceof HttpResponseException answer) {
      return answer.httpResponse();
    }
    String requestId = RequestIds.of(ctx);
    return UnreadBody.of(ctx, ctx.request())
        .ended(format.response(error(cause, requestId), requestId));
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      ServiceRequestContext ctx,
      ServiceConfig config,
      RequestHeaders headers,
      HttpStatus status,
      String description,
      Throwable cause) {
    String requestId = ctx == null ? RequestIds.mint() : RequestIds.of(ctx);
    if (status.code() < 500) {
      // One line without content or stack trace: any peer may send anything.
      log.info("Request {} can't be read as HTTP: {}.", requestId, status);
    }
    String message =
        status.code() < 500
            ? "The request can't be read as HTTP: " + reason(status, cause)
            : status.reasonPhrase() + ".";
    return format.whole(ProtocolError.ofStatus(status.code(), message), requestId);
  }

  private static String reason(HttpStatus status, Throwable cause) {
    return cause instanceof HeadGuard.BadHead ? cause.getMessage() : status.reasonPhrase() + ".";
  }

  private static ProtocolError error(Throwable cause, String requestId) {
    if (cause instanceof HttpStatusException statusException) {
      HttpStatus status = statusException.httpStatus();
      return ProtocolError.ofStatus(status.code(), status.reasonPhrase() + ".");
    }
    if (cause instanceof RequestTimeoutException) {
      return ProtocolError.of(ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, "The request timed out.");
    }
    return Failures.error(cause, requestId);
  }
}
