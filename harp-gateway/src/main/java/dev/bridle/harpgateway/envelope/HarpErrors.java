package dev.bridle.harpgateway.envelope;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.MediaType;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ErrorFormat;
import dev.bridle.gateway.kit.error.ErrorTable;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.harp.error.HarpErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * Errors as HARP's envelopes of the type {@code error} (HARP 0.2, "HTTP binding"). The body has the
 * code and the message; its details have a finer {@code reason}, whether the same request may
 * succeed later, and the id of the HTTP request in the server's log.
 */
public enum HarpErrors implements ErrorFormat {
  /** The only one. */
  FORMAT;

  /** The type of all envelopes on the wire. */
  public static final MediaType ENVELOPE = MediaType.parse("application/harp+json");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Override
  public MediaType mediaType() {
    return ENVELOPE;
  }

  @Override
  public byte[] body(ProtocolError error, String requestId) {
    ObjectNode details = details(error);
    String about = taken(details, "request_id", GatewayEnvelopes.NO_REQUEST);
    ObjectNode body =
        MAPPER
            .createObjectNode()
            .put("code", taken(details, "harp_code", HarpErrorCode.TRANSPORT.spelled()))
            .put("message", error.message());
    if (!about.equals(GatewayEnvelopes.NO_REQUEST)) {
      body.put("requestId", about);
    }
    if (!details.has("reason")) {
      details.put("reason", ErrorTable.spelling(error.code()));
    }
    error.param().ifPresent(param -> details.put("param", param));
    details.put("retryable", error.status() == 429 || error.status() >= 500);
    body.set("details", details.put("gatewayRequestId", requestId));
    return GatewayEnvelopes.envelope("error", about, body);
  }

  /**
   * Returns an error of the gateway that names the request that it is about, where there is one.
   */
  public static ProtocolError about(Optional<String> requestId, ProtocolError error) {
    return requestId
        .map(id -> error.with(MAPPER.createObjectNode().put("request_id", id).toString()))
        .orElse(error);
  }

  /**
   * Returns the failure of reading a body, with the code of the layer that the body is of where it
   * is too large.
   */
  public static Throwable tooLarge(Throwable failure, HarpErrorCode code, long limit) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (code == HarpErrorCode.TRANSPORT
        || !(cause instanceof ProtocolException refusal)
        || refusal.error().code() != ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE) {
      return failure;
    }
    ObjectNode details =
        MAPPER.createObjectNode().put("harp_code", code.spelled()).put("max_bytes", limit);
    return new ProtocolException(
        refusal.error().with(details.put("reason", "too_large").toString()));
  }

  private static ObjectNode details(ProtocolError error) {
    try {
      JsonNode said = MAPPER.readTree(error.details().toByteArray());
      return said instanceof ObjectNode object ? object : MAPPER.createObjectNode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String taken(ObjectNode details, String member, String otherwise) {
    JsonNode said = details.remove(member);
    return said == null ? otherwise : said.asText();
  }
}
