package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeliveryMapping;
import dev.bridle.core.kernel.outbound.OddServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Connectors that poll, and what answers them. */
public final class SamplePolls {
  private SamplePolls() {}

  /** Describes a connector of the workspace {@code default} that makes a task of each item. */
  public static CreateConnectorRequest.Builder described(ConnectorPolling.Builder polling) {
    return CreateConnectorRequest.newBuilder()
        .setWorkspaceId("default")
        .setProvider("news")
        .setPolling(polling)
        .setMapping(DeliveryMapping.newBuilder().setText("Read {/id}"));
  }

  /** Describes how a list of JSON items with ids is polled every minute. */
  public static ConnectorPolling.Builder list(String url) {
    return ConnectorPolling.newBuilder()
        .setUrl(url)
        .setIntervalSeconds(60)
        .setItems("/items")
        .setItemId("/id");
  }

  /** Returns an answer with items of these ids. */
  public static String items(Object... ids) {
    return Arrays.stream(ids)
        .map(id -> "{\"id\":\"" + id + "\"}")
        .collect(Collectors.joining(",", "{\"items\":[", "]}"));
  }

  /** Returns what answers with a body and headers, each a whole line. */
  public static OddServer.Answerer with(String body, String... headers) {
    return (request, out) -> OddServer.write(out, ok(body, headers));
  }

  /** Returns an answer's text. */
  public static String ok(String body, String... headers) {
    return "HTTP/1.1 200 OK\r\nContent-Length: "
        + body.getBytes(StandardCharsets.ISO_8859_1).length
        + "\r\n"
        + Arrays.stream(headers).map(line -> line + "\r\n").collect(Collectors.joining())
        + "\r\n"
        + body;
  }
}
