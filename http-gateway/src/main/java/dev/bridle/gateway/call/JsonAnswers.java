package dev.bridle.gateway.call;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.bridle.gateway.kit.stream.WholeResponses;
import dev.bridle.json.JsonWriter;
import dev.bridle.json.MessagePlan;
import java.util.concurrent.CompletableFuture;

/** Writes the successful responses of one route. */
public final class JsonAnswers {

  private static final int NO_CONTENT = 204;
  private static final int LARGE = 64 << 10;

  /** JSON has about so many times its own size more than the message. */
  private static final int OVERHEAD = 8;

  private final boolean empty;
  private final ResponseHeaders headers;
  private final JsonWriter json;
  private final MessagePlan plan;
  private final WholeResponses responses;

  /** Creates a writer of responses with one status and one message type. */
  public JsonAnswers(int status, JsonWriter json, MessagePlan plan, WholeResponses responses) {
    ResponseHeadersBuilder builder =
        ResponseHeaders.builder(HttpStatus.valueOf(status))
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    this.empty = status == NO_CONTENT;
    this.headers = empty ? builder.build() : builder.contentType(MediaType.JSON).build();
    this.json = json;
    this.plan = plan;
    this.responses = responses;
  }

  /**
   * Returns the response for a message. Fails with {@code service_unavailable}, if too much waits
   * for the tenant's clients already.
   */
  public CompletableFuture<HttpResponse> of(Exchange exchange, Message message) {
    return empty
        ? CompletableFuture.completedFuture(HttpResponse.of(headers))
        : responses.of(exchange, headers, json(message));
  }

  private byte[] json(Message message) {
    int size = message.getSerializedSize();
    return size < LARGE
        ? json.write(message, plan)
        : responses.alone(() -> json.write(message, plan, size + size / OVERHEAD));
  }
}
