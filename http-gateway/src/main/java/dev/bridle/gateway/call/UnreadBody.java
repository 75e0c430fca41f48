package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;

/**
 * Ends connections over HTTP/1 with an answer that comes before the request's body has: what is
 * left of it would be read and thrown away for as long as the client sends, and no time-out would
 * end it. Where little is left the connection stays. A stream of HTTP/2 ends by itself.
 */
final class UnreadBody {
  private static final long KEPT_BYTES = 64 << 10;

  private final HttpRequest request;
  private final boolean endless;

  private UnreadBody(HttpRequest request, boolean endless) {
    this.request = request;
    this.endless = endless;
  }

  /** The body of a request that is served. */
  static UnreadBody of(ServiceRequestContext ctx, HttpRequest request) {
    long length = request.headers().contentLength();
    boolean bounded = length >= 0 && length <= KEPT_BYTES;
    return new UnreadBody(
        request, !ctx.sessionProtocol().isMultiplex() && !request.isEmpty() && !bounded);
  }

  /** The answer, which says that the connection ends where too much of the body is left by then. */
  HttpResponse ended(HttpResponse response) {
    return endless ? response.mapHeaders(this::ended) : response;
  }

  private ResponseHeaders ended(ResponseHeaders headers) {
    return request.isComplete()
        ? headers
        : headers.toBuilder().set(HttpHeaderNames.CONNECTION, "close").build();
  }
}
