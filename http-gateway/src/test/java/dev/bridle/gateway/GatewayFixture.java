package dev.bridle.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.StartedGateway;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A gateway before a fake core, and a client of it. */
final class GatewayFixture extends StartedGateway {

  static final String VERSION = "agents-protocol-2026-04-25";

  /** Version and key, as every request has them that is in order. */
  static final Map<String, String> HEADERS =
      Map.of("Harn-Agents-Protocol-Version", VERSION, "Authorization", "Bearer key-1");

  final FakeCore core = new FakeCore();
  final HttpGateway gateway;

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

  static JsonNode json(HttpResponse<String> response) {
    return json(response.body());
  }

  static JsonNode json(String text) {
    return Json.parse(text);
  }

  static JsonNode error(HttpResponse<String> response) {
    return json(response).get("error");
  }

  @Override
  protected URI baseUrl() {
    return gateway.baseUrl();
  }

  @Override
  protected void stop() {
    gateway.close();
    core.close();
  }
}
