package dev.bridle.gateway.call;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.bridle.gateway.kit.call.Upgrade;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what the handshake of a WebSocket says of the protocol. Since browsers don't allow pages to
 * set headers, the version is sent as a subprotocol, and the cursor in the query.
 */
public final class Handshake {

  private static final String VERSION = "agents-protocol-";

  private static final String CURSOR_HEADER = "Last-Event-ID";

  private static final String CURSOR_PARAMETER = "last_event_id";
  // Replaces a cursor with characters that are invalid in headers; the core rejects it.
  private static final String NO_CURSOR = "?";
  private static final Pattern CURSOR = Pattern.compile("[\\x21-\\x7e]{1,1024}");

  private Handshake() {}

  /** Returns the headers of an equivalent plain request. */
  public static RequestHeaders plain(RequestHeaders given) {
    RequestHeadersBuilder plain = Upgrade.plain(given);
    if (!given.contains(ProtocolVersions.HEADER)) {
      List<String> offered = Upgrade.offered(given);
      Stream.concat(
              offered.stream().filter(ProtocolVersions.SUPPORTED::contains),
              offered.stream().filter(item -> item.startsWith(VERSION)))
          .findFirst()
          .ifPresent(version -> plain.set(ProtocolVersions.HEADER, version));
    }
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
}
