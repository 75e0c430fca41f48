package dev.bridle.gateway.kit.error;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;

/** The JSON documents in which a protocol reports errors, in responses with the same headers. */
public interface ErrorFormat {
  /** The seconds that a rejected client waits if the error has none. */
  int RETRY_AFTER_SECONDS = 1;

  /** Returns an error as one line of JSON. */
  byte[] body(ProtocolError error, String requestId);

  /** Returns the type of the documents. */
  default MediaType mediaType() {
    return MediaType.JSON;
  }

  /** Returns the response to a request that failed. */
  default HttpResponse response(ProtocolError error, String requestId) {
    return HttpResponse.of(headers(error).build(), HttpData.wrap(body(error, requestId)));
  }

  /** Returns the aggregated response, with the request id as a header. */
  default AggregatedHttpResponse whole(ProtocolError error, String requestId) {
    ResponseHeaders headers = headers(error).set("x-request-id", requestId).build();
    return AggregatedHttpResponse.of(headers, HttpData.wrap(body(error, requestId)));
  }

  /** Returns the headers of an error response. */
  default ResponseHeadersBuilder headers(ProtocolError error) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.valueOf(error.status()))
            .contentType(mediaType())
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    switch (error.status()) {
      case 401 -> headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
      // The rest of the body is not read.
      case 413 -> headers.set(HttpHeaderNames.CONNECTION, "close");
      case 429, 503, 504 ->
          headers.setInt(
              HttpHeaderNames.RETRY_AFTER,
              error.retryAfterSeconds() == 0 ? RETRY_AFTER_SECONDS : error.retryAfterSeconds());
      default -> {}
    }
    return headers;
  }
}
