package dev.bridle.gateway.error;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.bridle.json.JsonWriter;
import java.io.IOException;

/** Writes error responses: the envelope and the headers of a status. */
public final class ErrorAnswers {

  private static final int RETRY_AFTER_SECONDS = 1;

  private ErrorAnswers() {}

  /** Returns the envelope as one line of JSON. */
  public static byte[] envelope(ProtocolError error, String requestId) {
    return JsonWriter.bytes(
        to -> {
          to.writeStartObject();
          member(error, requestId, to);
          to.writeEndObject();
        });
  }

  /** Writes the envelope's member {@code error} to an open object. */
  public static void member(ProtocolError error, String requestId, JsonGenerator to)
      throws IOException {
    to.writeObjectFieldStart("error");
    to.writeStringField("code", ErrorTable.spelling(error.code()));
    to.writeStringField("message", error.message());
    to.writeStringField("type", ErrorTable.of(error.code()).type());
    to.writeFieldName("param");
    if (error.param().isPresent()) {
      to.writeString(error.param().get());
    } else {
      to.writeNull();
    }
    to.writeStringField("request_id", requestId);
    to.writeFieldName("details");
    details(error, to);
    to.writeEndObject();
  }

  /** Returns the response, with additional headers. */
  public static HttpResponse response(ProtocolError error, String requestId) {
    return HttpResponse.of(headers(error).build(), HttpData.wrap(envelope(error, requestId)));
  }

  /** Returns the aggregated response, with the request id as a header. */
  public static AggregatedHttpResponse whole(ProtocolError error, String requestId) {
    ResponseHeaders headers = headers(error).set("x-request-id", requestId).build();
    return AggregatedHttpResponse.of(headers, HttpData.wrap(envelope(error, requestId)));
  }

  /** Returns the headers of an error response. */
  public static ResponseHeadersBuilder headers(ProtocolError error) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.valueOf(error.status()))
            .contentType(MediaType.JSON)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    switch (error.status()) {
      case 401 -> headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
      // The rest of the body is not read.
      case 413 -> headers.set(HttpHeaderNames.CONNECTION, "close");
      case 429, 503 ->
          headers.setInt(
              HttpHeaderNames.RETRY_AFTER,
              error.retryAfterSeconds() == 0 ? RETRY_AFTER_SECONDS : error.retryAfterSeconds());
      default -> {}
    }
    return headers;
  }

  private static void details(ProtocolError error, JsonGenerator to) throws IOException {
    if (error.details().isEmpty()) {
      to.writeStartObject();
      to.writeEndObject();
    } else {
      to.writeRawValue(error.details().toStringUtf8());
    }
  }
}
