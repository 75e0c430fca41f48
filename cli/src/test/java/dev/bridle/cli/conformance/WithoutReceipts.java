package dev.bridle.cli.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * A real server as one that neither advertises nor serves receipts: forwards every other request.
 */
final class WithoutReceipts implements AutoCloseable {
  private static final Pattern RECEIPTS =
      Pattern.compile("/v1/receipts.*|/v1/tasks/[^/]+/receipts|/v1/receipt-export");
  private static final Set<String> OWN_TO_A_CONNECTION =
      Set.of("connection", "host", "content-length", "transfer-encoding", "upgrade");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final URI behind;
  private final HttpServer server;

  WithoutReceipts(URI behind) throws IOException {
    this.behind = behind;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::forward);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      // An unknown path gets the refusal that this server gives for any.
      URI target =
          behind.resolve(
              RECEIPTS.matcher(path).matches()
                  ? "/v1/no-such-thing"
                  : exchange.getRequestURI().toString());
      HttpResponse<InputStream> answer =
          client.send(request(exchange, target), BodyHandlers.ofInputStream());
      answer
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (!name.startsWith(":") && isForwarded(name)) {
                  exchange.getResponseHeaders().put(name, values);
                }
              });
      boolean empty = answer.statusCode() == 204 || exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(answer.statusCode(), empty ? -1 : 0);
      if (!empty) {
        copy(answer.statusCode() == 200 ? path : "", answer.body(), exchange.getResponseBody());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static HttpRequest request(HttpExchange exchange, URI target) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (isForwarded(name)) {
                values.forEach(value -> request.header(name, value));
              }
            });
    return request.build();
  }

  private static boolean isForwarded(String header) {
    return OWN_TO_A_CONNECTION.stream().noneMatch(header::equalsIgnoreCase);
  }

  private static void copy(String path, InputStream from, OutputStream to) throws IOException {
    try (from) {
      if (path.equals("/v1") || path.equals("/openapi.json")) {
        ObjectNode json = Json.object(new String(from.readAllBytes(), StandardCharsets.UTF_8));
        if (path.equals("/v1")) {
          json.withObject("/capabilities").put("receipts", false);
        } else {
          List<String> paths =
              json.get("paths").properties().stream().map(entry -> entry.getKey()).toList();
          paths.stream()
              .filter(template -> RECEIPTS.matcher(template).matches())
              .forEach(json.withObject("/paths")::remove);
        }
        to.write(json.toString().getBytes(StandardCharsets.UTF_8));
        return;
      }
      byte[] piece = new byte[8192];
      for (int n = from.read(piece); n >= 0; n = from.read(piece)) {
        to.write(piece, 0, n);
        to.flush(); // Event streams are read while they go on.
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
