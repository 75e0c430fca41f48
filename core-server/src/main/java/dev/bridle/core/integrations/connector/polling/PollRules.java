package dev.bridle.core.integrations.connector.polling;

import com.fasterxml.jackson.core.JsonPointer;
import dev.bridle.connector.v1.ConnectorAuth;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.CursorFrom;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.connector.v1.PollingFormat;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.outbound.OutboundException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Validates the polling configuration of connectors. */
public final class PollRules {
  /** The default header of a secret. */
  static final String AUTHORIZATION = "authorization";

  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");

  /** The valid values of headers. */
  static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");

  /** Headers that the server sets itself, or that control the connection. */
  private static final Set<String> OWN =
      Set.of(
          "accept-encoding",
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "if-match",
          "if-modified-since",
          "if-none-match",
          "if-range",
          "if-unmodified-since",
          "keep-alive",
          "proxy-connection",
          "range",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "via");

  private static final Set<String> SECRET =
      Set.of("authorization", "cookie", "proxy-authorization");

  private final OutboundClient client;
  private final Duration least;

  /**
   * Creates rules for polls by a client.
   *
   * @param least the minimum polling interval
   */
  public PollRules(OutboundClient client, Duration least) {
    this.client = client;
    this.least = least;
  }

  /** Validates a polling configuration. */
  public void check(ConnectorPolling polling, Instant now) {
    try {
      var unused = client.check(polling.getUrl());
    } catch (OutboundException e) {
      throw ProtocolException.invalid("polling.url", e.getMessage());
    }
    checkTimes(polling, now);
    for (Map.Entry<String, String> header : polling.getHeadersMap().entrySet()) {
      checkHeader("polling.headers", header.getKey(), header.getValue());
      if (SECRET.contains(header.getKey().toLowerCase(Locale.ROOT))) {
        throw ProtocolException.invalid(
            "polling.headers", "holds a header for secrets; name a vault's secret in auth");
      }
    }
    checkReading(polling);
  }

  private void checkTimes(ConnectorPolling polling, Instant now) {
    if (polling.hasCron() == polling.hasIntervalSeconds()) {
      throw ProtocolException.invalid(
          polling.hasCron() ? "polling.interval_seconds" : "polling.cron",
          "is one of two: give either interval_seconds or cron");
    }
    if (polling.hasTimeZone() && !polling.hasCron()) {
      throw ProtocolException.invalid("polling.time_zone", "is for cron; an interval has none");
    }
    if (polling.hasIntervalSeconds() && PollTimes.every(polling).compareTo(least) < 0) {
      throw ProtocolException.invalid(
          "polling.interval_seconds", "must be at least " + Math.max(1, least.toSeconds()));
    }
    var unused = PollTimes.first(polling, now);
  }

  private static void checkHeader(String param, String name, String value) {
    if (!TOKEN.matcher(name).matches() || !VALUE.matcher(value).matches()) {
      throw ProtocolException.invalid(param, "holds what is no header");
    }
    if (OWN.contains(name.toLowerCase(Locale.ROOT))) {
      throw ProtocolException.invalid(
          param, "holds the header " + name + ", which the server writes itself");
    }
  }

  private static void checkReading(ConnectorPolling polling) {
    boolean feed = polling.getFormat() == PollingFormat.POLLING_FORMAT_FEED;
    List.of(
            new Named("polling.items", polling.hasItems(), polling.getItems()),
            new Named("polling.item_id", polling.hasItemId(), polling.getItemId()),
            new Named(
                "polling.cursor.pointer", polling.hasCursor(), polling.getCursor().getPointer()),
            new Named(
                "polling.cursor.more",
                polling.getCursor().hasMore(),
                polling.getCursor().getMore()))
        .forEach(named -> named.check(feed));
  }

  /** An optional JSON Pointer. */
  private record Named(String param, boolean given, String pointer) {
    void check(boolean feed) {
      if (given && feed) {
        throw ProtocolException.invalid(param, "is for JSON; feeds have items of their own");
      }
      try {
        var unused = JsonPointer.compile(pointer);
      } catch (IllegalArgumentException e) {
        throw ProtocolException.invalid(param, "is no JSON Pointer; it begins with a slash");
      }
    }
  }

  /** Validates the authentication of a connector except for its secret. */
  public static void checkAuth(ConnectorAuth auth, ConnectorPolling polling) {
    checkHeader("auth.header", header(auth), "");
    if (!VALUE.matcher(auth.getPrefix()).matches()) {
      throw ProtocolException.invalid("auth.prefix", "can't be sent in a header");
    }
    if (polling.getHeadersMap().keySet().stream().anyMatch(header(auth)::equalsIgnoreCase)) {
      throw ProtocolException.invalid("auth.header", "is one of polling.headers, too");
    }
  }

  /** Returns the name of the header that a secret is sent in. */
  static String header(ConnectorAuth auth) {
    return auth.getHeader().isEmpty() ? AUTHORIZATION : auth.getHeader().toLowerCase(Locale.ROOT);
  }

  /** Fills in the defaults of absent members. */
  public static ConnectorPolling withDefaults(ConnectorPolling given) {
    ConnectorPolling.Builder polling = given.toBuilder();
    if (polling.getFormat() == PollingFormat.POLLING_FORMAT_UNSPECIFIED) {
      polling.setFormat(PollingFormat.POLLING_FORMAT_JSON);
    }
    if (polling.getInitial() == InitialItems.INITIAL_ITEMS_UNSPECIFIED) {
      polling.setInitial(InitialItems.INITIAL_ITEMS_SKIP);
    }
    if (polling.hasCursor()
        && polling.getCursor().getFrom() == CursorFrom.CURSOR_FROM_UNSPECIFIED) {
      polling.getCursorBuilder().setFrom(CursorFrom.CURSOR_FROM_ANSWER);
    }
    return polling.build();
  }
}
