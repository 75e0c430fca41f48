package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the handshake of a WebSocket (RFC 6455, and RFC 8441 for HTTP/2). */
public final class Upgrade {
  // The prefix of the subprotocol with a token: browsers don't allow pages to set headers.
  private static final String TOKEN = "bearer.";
  private static final AsciiString PROTOCOL = AsciiString.cached(":protocol");
  private static final String WEBSOCKET = "websocket";
  private static final String SOCKET_VERSION = "13";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");

  private Upgrade() {}

  /** Returns whether a request is a WebSocket upgrade. */
  public static boolean isAsked(SessionProtocol protocol, RequestHeaders headers) {
    if (protocol.isExplicitHttp1()) {
      return headers.method() == HttpMethod.GET
          && items(headers, HttpHeaderNames.CONNECTION).anyMatch("upgrade"::equalsIgnoreCase)
          && items(headers, HttpHeaderNames.UPGRADE).anyMatch(WEBSOCKET::equalsIgnoreCase);
    }
    return headers.method() == HttpMethod.CONNECT
        && WEBSOCKET.equalsIgnoreCase(headers.get(PROTOCOL));
  }

  /**
   * Returns the headers of an equivalent plain request; a token among the subprotocols becomes the
   * header {@code Authorization}.
   */
  public static RequestHeadersBuilder plain(RequestHeaders given) {
    RequestHeadersBuilder plain = given.toBuilder();
    plain.method(HttpMethod.GET);
    plain.remove(PROTOCOL);
    plain.remove(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
    offered(given).stream()
        .filter(item -> item.startsWith(TOKEN))
        .forEach(
            item ->
                plain.add(
                    HttpHeaderNames.AUTHORIZATION, "Bearer " + item.substring(TOKEN.length())));
    return plain;
  }

  /** Returns the subprotocols that a client offers. */
  public static List<String> offered(RequestHeaders given) {
    return items(given, HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL).toList();
  }

  /** Requires a valid upgrade request. */
  public static void check(ServiceRequestContext ctx, RequestHeaders headers) {
    if (!SOCKET_VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      ctx.setAdditionalResponseHeader(HttpHeaderNames.SEC_WEBSOCKET_VERSION, SOCKET_VERSION);
      throw refusal("Sec-WebSocket-Version", "The WebSocket version must be 13.");
    }
    if (ctx.sessionProtocol().isExplicitHttp1()
        && !KEY.matcher(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY, "")).matches()) {
      throw refusal("Sec-WebSocket-Key", "The key must be 16 bytes in base64.");
    }
  }

  private static ProtocolException refusal(String header, String message) {
    return new ProtocolException(ProtocolError.invalid(header, message));
  }

  private static Stream<String> items(RequestHeaders headers, AsciiString name) {
    return headers.getAll(name).stream()
        .flatMap(line -> Stream.of(line.split(",", -1)))
        .map(String::strip)
        .filter(item -> !item.isEmpty());
  }
}
