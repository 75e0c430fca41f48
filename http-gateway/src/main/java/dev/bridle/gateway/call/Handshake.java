package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.error.ProtocolError;
import dev.bridle.gateway.error.ProtocolException;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the handshake of a WebSocket. Since browsers don't allow pages to set headers, version and
 * token are sent as subprotocols, and the cursor in the query.
 */
public final class Handshake {

  // The prefix of the subprotocol with a token.
  private static final String TOKEN = "bearer.";

  private static final String VERSION = "agents-protocol-";

  private static final String CURSOR_HEADER = "Last-Event-ID";

  private static final String CURSOR_PARAMETER = "last_event_id";
  private static final AsciiString PROTOCOL = AsciiString.cached(":protocol");
  private static final String WEBSOCKET = "websocket";
  private static final String SOCKET_VERSION = "13";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");
  // Replaces a cursor with characters that are invalid in headers; the core rejects it.
  private static final String NO_CURSOR = "?";
  private static final Pattern CURSOR = Pattern.compile("[\\x21-\\x7e]{1,1024}");

  private Handshake() {}

  /** Returns whether a request is a WebSocket upgrade. */
  static boolean isAsked(SessionProtocol protocol, RequestHeaders headers) {
    if (protocol.isExplicitHttp1()) {
      return headers.method() == HttpMethod.GET
          && items(headers, HttpHeaderNames.CONNECTION).anyMatch("upgrade"::equalsIgnoreCase)
          && items(headers, HttpHeaderNames.UPGRADE).anyMatch(WEBSOCKET::equalsIgnoreCase);
    }
    return headers.method() == HttpMethod.CONNECT
        && WEBSOCKET.equalsIgnoreCase(headers.get(PROTOCOL));
  }

  /** Returns the headers of an equivalent plain request. */
  static RequestHeaders plain(RequestHeaders given) {
    RequestHeadersBuilder plain = given.toBuilder();
    plain.method(HttpMethod.GET);
    plain.remove(PROTOCOL);
    plain.remove(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
    List<String> offered = items(given, HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL).toList();
    if (!given.contains(ProtocolVersions.HEADER)) {
      Stream.concat(
              offered.stream().filter(ProtocolVersions.SUPPORTED::contains),
              offered.stream().filter(item -> item.startsWith(VERSION)))
          .findFirst()
          .ifPresent(version -> plain.set(ProtocolVersions.HEADER, version));
    }
    offered.stream()
        .filter(item -> item.startsWith(TOKEN))
        .forEach(
            item ->
                plain.add(
                    HttpHeaderNames.AUTHORIZATION, "Bearer " + item.substring(TOKEN.length())));
    cursor(given, plain);
    return plain.build();
  }

  /** Returns a copy of the headers with another cursor. */
  public static RequestHeaders withCursor(RequestHeaders plain, String cursor) {
    return plain.toBuilder().set(CURSOR_HEADER, headerSafe(cursor)).build();
  }

  private static String headerSafe(String cursor) {
    return CURSOR.matcher(cursor).matches() ? cursor : NO_CURSOR;
  }

  private static void cursor(RequestHeaders given, RequestHeadersBuilder plain) {
    int query = given.path().indexOf('?');
    if (query < 0 || given.contains(CURSOR_HEADER)) {
      return;
    }
    String cursor =
        QueryParams.fromQueryString(given.path().substring(query + 1), false)
            .get(CURSOR_PARAMETER, "");
    if (!cursor.isEmpty()) {
      plain.set(CURSOR_HEADER, headerSafe(cursor));
    }
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
