package dev.bridle.gateway.token;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.bridle.gateway.error.ErrorEnvelope;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.json.JsonWriter;
import java.io.IOException;
import java.util.Optional;

/**
 * An OAuth error response (RFC 6749, section 5.2).
 *
 * @param code OAuth's code
 * @param cause the underlying error
 */
record TokenError(String code, ProtocolError cause) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String DETAIL = "oauth_error";

  /** Returns an {@code invalid_request}. */
  static TokenError invalid(int status, String message) {
    return new TokenError("invalid_request", ProtocolError.ofStatus(status, message));
  }

  /** Returns the OAuth error for an error of the core or the gateway. */
  static TokenError of(ProtocolError cause) {
    return new TokenError(oauthCode(cause).orElseGet(() -> byStatus(cause.status())), cause);
  }

  private static String byStatus(int status) {
    return switch (status) {
      case 429, 503, 504 -> "temporarily_unavailable";
      case 401 -> "invalid_client";
      default -> status < 500 ? "invalid_request" : "server_error";
    };
  }

  private static Optional<String> oauthCode(ProtocolError cause) {
    if (cause.details().isEmpty()) {
      return Optional.empty();
    }
    try (JsonParser json = JSON.createParser(cause.details().toByteArray())) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.FIELD_NAME && json.currentName().equals(DETAIL)) {
          return Optional.ofNullable(json.nextTextValue());
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private String description() {
    return cause.param().map(param -> param + " " + cause.message()).orElse(cause.message());
  }

  /**
   * Returns the response.
   *
   * @param basic whether the client used HTTP Basic, which adds the {@code WWW-Authenticate} header
   */
  HttpResponse answer(boolean basic) {
    ResponseHeadersBuilder headers =
        ErrorEnvelope.FORMAT.headers(cause).set(HttpHeaderNames.PRAGMA, "no-cache");
    headers.remove(HttpHeaderNames.WWW_AUTHENTICATE);
    if (cause.status() == 401 && basic) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"Bridle\"");
    }
    byte[] body =
        JsonWriter.bytes(
            to -> {
              to.writeStartObject();
              to.writeStringField("error", code);
              to.writeStringField("error_description", description());
              to.writeEndObject();
            });
    return HttpResponse.of(headers.build(), HttpData.wrap(body));
  }
}
