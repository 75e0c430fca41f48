package dev.bridle.gateway.error;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.bridle.gateway.kit.error.ErrorFormat;
import dev.bridle.gateway.kit.error.ErrorTable;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.json.JsonWriter;
import java.io.IOException;

/** The protocol's error envelope (protocol section "Errors"). */
public enum ErrorEnvelope implements ErrorFormat {
  /** The only one. */
  FORMAT;

  @Override
  public byte[] body(ProtocolError error, String requestId) {
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

  private static void details(ProtocolError error, JsonGenerator to) throws IOException {
    if (error.details().isEmpty()) {
      to.writeStartObject();
      to.writeEndObject();
    } else {
      to.writeRawValue(error.details().toStringUtf8());
    }
  }
}
