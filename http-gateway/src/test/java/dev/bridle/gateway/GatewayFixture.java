package dev.bridle.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A gateway before a fake core, and a client of it. */
final class GatewayFixture implements AutoCloseable {

  static final String VERSION = "agents-protocol-2026-04-25";

  /** Version and key, as every request has them that is in order. */
  static final Map<String, String> HEADERS =
      Map.of("Harn-Agents-Protocol-Version", VERSION, "Authorization", "Bearer key-1");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  final FakeCore core = new FakeCore();
  final HttpGateway gateway;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  GatewayFixture() {
    this(options -> options);
  }

  GatewayFixture(UnaryOperator<GatewayOptions> change) {
    gateway =
        HttpGateway.start(
            core.channel(),
            change.apply(
                GatewayOptions.defaults()
                    .withListener(
                        on -> on.withPort(0).withShutdownTimeout(Duration.ofMillis(200)))));
  }

  /** A request with everything in order. */
  HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = bare(path);
    HEADERS.forEach(request::header);
    return request;
  }

  HttpRequest.Builder bare(String path) {
    return HttpRequest.newBuilder(URI.create(gateway.baseUrl() + path))
        .timeout(Duration.ofSeconds(20));
  }

  HttpResponse<String> get(String path) {
    return send(request(path));
  }

  HttpResponse<String> post(String path, String json) {
    return send(json(request(path), "POST", json));
  }

  static HttpRequest.Builder json(HttpRequest.Builder request, String method, String json) {
    return request
        .header("Content-Type", "application/json")
        .method(method, HttpRequest.BodyPublishers.ofString(json));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    return send(request, HttpResponse.BodyHandlers.ofString());
  }

  <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
    try {
      return client.send(request.build(), handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static JsonNode json(HttpResponse<String> response) {
    return json(response.body());
  }

  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static JsonNode error(HttpResponse<String> response) {
    return json(response).get("error");
  }

  /** Stops in the background: the HTTP library takes two seconds for it. */
  @Override
  public void close() {
    Thread stop =
        new Thread(
            () -> {
              gateway.close();
              core.close();
            });
    stop.setDaemon(true);
    stop.start();
  }
}
