package dev.bridle.gateway.call;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.bridle.gateway.json.JsonWriter;
import dev.bridle.gateway.json.MessagePlan;

/** Writes the successful answers of one route. */
public final class JsonAnswers {

  private static final int NO_CONTENT = 204;

  private final boolean empty;
  private final ResponseHeaders headers;
  private final JsonWriter json;
  private final MessagePlan plan;

  /** Writes answers with a status, whose messages are of one kind. */
  public JsonAnswers(int status, JsonWriter json, MessagePlan plan) {
    ResponseHeadersBuilder builder =
        ResponseHeaders.builder(HttpStatus.valueOf(status))
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    this.empty = status == NO_CONTENT;
    this.headers = empty ? builder.build() : builder.contentType(MediaType.JSON).build();
    this.json = json;
    this.plan = plan;
  }

  /** The answer that a message makes. */
  public HttpResponse of(Message message) {
    return empty
        ? HttpResponse.of(headers)
        : HttpResponse.of(headers, HttpData.wrap(json.write(message, plan)));
  }
}
