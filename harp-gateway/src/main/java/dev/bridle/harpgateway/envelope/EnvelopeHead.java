package dev.bridle.harpgateway.envelope;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.io.IOException;
import java.util.Optional;

/**
 * What routes a message: its type, its id, and the request that it is about. Reads no further than
 * needed and validates nothing else, which the core does.
 *
 * @param type the message's type
 * @param requestId the request that it is about
 * @param messageId the message's id
 */
public record EnvelopeHead(String type, Optional<String> requestId, Optional<String> messageId) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Reads the head of a message.
   *
   * @throws ProtocolException {@code invalid_request} if it is no JSON object with a type
   */
  public static EnvelopeHead read(byte[] json) {
    Optional<String> type = Optional.empty();
    Optional<String> requestId = Optional.empty();
    Optional<String> messageId = Optional.empty();
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw invalid("", "The message is not a JSON object.");
      }
      while ((type.isEmpty() || requestId.isEmpty() || messageId.isEmpty())
          && parser.nextToken() == JsonToken.FIELD_NAME) {
        String member = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (member) {
          case "msgType" -> type = text(parser, value);
          case "requestId" -> requestId = text(parser, value);
          case "msgId" -> messageId = text(parser, value);
          default -> parser.skipChildren();
        }
      }
    } catch (IOException e) {
      throw invalid("", "The message is not JSON.");
    }
    return new EnvelopeHead(
        type.orElseThrow(() -> invalid("msgType", "The message has no type, a text.")),
        requestId,
        messageId);
  }

  private static Optional<String> text(JsonParser parser, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_STRING) {
      return Optional.of(parser.getText());
    }
    parser.skipChildren();
    return Optional.empty();
  }

  private static ProtocolException invalid(String member, String message) {
    return new ProtocolException(ProtocolError.invalid(member, message));
  }
}
