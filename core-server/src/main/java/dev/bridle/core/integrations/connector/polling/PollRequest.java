package dev.bridle.core.integrations.connector.polling;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.connector.v1.ConnectorAuth;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.PollingFormat;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.outbound.OutboundUrl;
import dev.bridle.record.v1.PollState;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Builds the request of a poll. */
public final class PollRequest {
  private static final String JSON = "application/json, */*;q=0.1";
  private static final String FEED =
      "application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1";

  private PollRequest() {}

  /**
   * Builds the request.
   *
   * @param state the polling state: the cursor and the validators of the last response
   * @param secret the secret for the header of {@code auth}; empty for none
   * @throws dev.bridle.core.kernel.outbound.OutboundException if the URL may not be called
   * @throws PageException if the secret can't be sent in a header
   */
  public static OutboundRequest of(
      ConnectorPolling polling, ConnectorAuth auth, PollState state, Optional<String> secret) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("accept", polling.getFormat() == PollingFormat.POLLING_FORMAT_FEED ? FEED : JSON);
    headers.put("user-agent", "bridle");
    polling
        .getHeadersMap()
        .forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
    if (state.hasEtag()) {
      headers.put("if-none-match", state.getEtag());
    }
    if (state.hasLastModified()) {
      headers.put("if-modified-since", state.getLastModified());
    }
    secret.ifPresent(value -> headers.put(PollRules.header(auth), header(auth, value)));
    String url =
        state.hasCursor() && polling.hasCursor()
            ? with(polling.getUrl(), polling.getCursor().getParameter(), state.getCursor())
            : polling.getUrl();
    return new OutboundRequest(
        OutboundRequest.Method.GET, OutboundUrl.parse(url), headers, new byte[0]);
  }

  private static String header(ConnectorAuth auth, String secret) {
    if (!PollRules.VALUE.matcher(secret).matches()) {
      throw new PageException("bad_secret", "The secret of auth can't be sent in a header.");
    }
    return auth.getPrefix() + secret;
  }

  /** Returns a URL with a query parameter, which replaces one of the same name. */
  static String with(String url, String parameter, String value) {
    int query = url.indexOf('?');
    String base = query < 0 ? url : url.substring(0, query);
    String name = URLEncoder.encode(parameter, UTF_8);
    String kept =
        query < 0
            ? ""
            : Arrays.stream(url.substring(query + 1).split("&", -1))
                .filter(pair -> !pair.isEmpty())
                .filter(pair -> !pair.equals(name) && !pair.startsWith(name + "="))
                .map(pair -> pair + "&")
                .collect(Collectors.joining());
    return base + "?" + kept + name + "=" + URLEncoder.encode(value, UTF_8);
  }
}
