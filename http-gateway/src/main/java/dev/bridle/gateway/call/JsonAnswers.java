package dev.bridle.gateway.call;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.bridle.json.JsonWriter;
import dev.bridle.json.MessagePlan;

/** Writes the successful responses of one route. */
public final class JsonAnswers {

  private static final int NO_CONTENT = 204;

  private final boolean empty;
  private final ResponseHeaders headers;
  private final JsonWriter json;
  private final MessagePlan plan;

  /** Creates a writer of responses with one status and one message type. */
  public JsonAnswers(int status, JsonWriter json, MessagePlan plan) {
    ResponseHeadersBuilder builder =
        ResponseHeaders.builder(HttpStatus.valueOf(status))
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    this.empty = status == NO_CONTENT;
    this.headers = empty ? builder.build() : builder.contentType(MediaType.JSON).build();
    this.json = json;
    this.plan = plan;
  }

  /** Returns the response for a message. */
  public HttpResponse of(Message message) {
    return empty
        ? HttpResponse.of(headers)
        : HttpResponse.of(headers, HttpData.wrap(json.write(message, plan)));
  }
}
