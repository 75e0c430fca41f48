package dev.bridle.cli.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Calls a server of the Agents Protocol. Whatever is not a success ends the command: {@link
 * CommandFailed} carries the server's own sentence.
 */
public final class RestClient {
  private static final String VERSION_HEADER = "Harn-Agents-Protocol-Version";
  private static final String VERSION = "agents-protocol-2026-04-25";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final String base;
  private final String apiKey;

  /** A client of the server at that URL, known there by that key. */
  public RestClient(URI base, String apiKey) {
    this.base = base.toString().replaceAll("/+$", "");
    this.apiKey = apiKey;
  }

  /** Reads a resource or a list. */
  public JsonNode get(String path) {
    return json(send(request(path).timeout(TIMEOUT).GET(), BodyHandlers.ofByteArray()));
  }

  /** Reads bytes. */
  public byte[] bytes(String path) {
    return body(send(request(path).timeout(TIMEOUT).GET(), BodyHandlers.ofByteArray()));
  }

  /** Posts a command; sent again under the same idempotency key, it applies once. */
  public JsonNode post(String path, JsonNode body, String idempotencyKey) {
    HttpRequest.Builder request =
        request(path)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", idempotencyKey)
            .POST(BodyPublishers.ofString(body.toString()));
    return json(send(request, BodyHandlers.ofByteArray()));
  }

  /** Changes a resource; sent again under the same idempotency key, it applies once. */
  public JsonNode patch(String path, JsonNode body, String idempotencyKey) {
    HttpRequest.Builder request =
        request(path)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", idempotencyKey)
            .method("PATCH", BodyPublishers.ofString(body.toString()));
    return json(send(request, BodyHandlers.ofByteArray()));
  }

  /** Deletes a resource; sent again under the same idempotency key, it applies once. */
  public void delete(String path, String idempotencyKey) {
    HttpRequest.Builder request =
        request(path).timeout(TIMEOUT).header("Idempotency-Key", idempotencyKey).DELETE();
    var unused = body(send(request, BodyHandlers.ofByteArray()));
  }

  /** Puts a resource at its place; sent again under the same idempotency key, it applies once. */
  public JsonNode put(String path, JsonNode body, String idempotencyKey) {
    HttpRequest.Builder request =
        request(path)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", idempotencyKey)
            .PUT(BodyPublishers.ofString(body.toString()));
    return json(send(request, BodyHandlers.ofByteArray()));
  }

  /** Uploads bytes. */
  public void put(String path, byte[] content, String mediaType) {
    HttpRequest.Builder request =
        request(path)
            .timeout(TIMEOUT)
            .header("Content-Type", mediaType)
            .PUT(BodyPublishers.ofByteArray(content));
    body(send(request, BodyHandlers.ofByteArray()));
  }

  /** Opens an event stream behind the event of that id, or at its beginning. */
  InputStream open(String path, Optional<String> lastEventId) {
    HttpRequest.Builder request = request(path).header("Accept", "text/event-stream").GET();
    lastEventId.ifPresent(id -> request.header("Last-Event-ID", id));
    HttpResponse<InputStream> response = send(request, BodyHandlers.ofInputStream());
    if (response.statusCode() == 200) {
      return response.body();
    }
    try (InputStream refusal = response.body()) {
      throw refused(response.statusCode(), refusal.readAllBytes());
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /** Escapes a value for a path or a query. */
  public static String escape(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .header("Authorization", "Bearer " + apiKey)
        .header(VERSION_HEADER, VERSION);
  }

  private <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> handler) {
    try {
      return http.send(request.build(), handler);
    } catch (IOException e) {
      throw unreachable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }

  private JsonNode json(HttpResponse<byte[]> response) {
    return JsonLines.parse(new String(body(response), StandardCharsets.UTF_8))
        .orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.FAILED,
                    "The answer of " + base + " is not JSON; is it a server of this protocol?"));
  }

  private static byte[] body(HttpResponse<byte[]> response) {
    if (response.statusCode() >= 300) {
      throw refused(response.statusCode(), response.body());
    }
    return response.body();
  }

  private CommandFailed unreachable(IOException cause) {
    return new CommandFailed(
        ExitCodes.UNREACHABLE,
        "No server answers at "
            + base
            + "; start one with 'bridle up', or name another with --url.",
        cause);
  }

  private static CommandFailed refused(int status, byte[] body) {
    JsonNode error =
        JsonLines.parse(new String(body, StandardCharsets.UTF_8))
            .orElseGet(JsonLines::object)
            .path("error");
    StringBuilder text = new StringBuilder(error.path("message").asText("The server refused."));
    text.append(" (").append(status);
    error.path("code").asText("").lines().forEach(code -> text.append(' ').append(code));
    if (error.path("param").isTextual()) {
      text.append(" at ").append(error.path("param").textValue());
    }
    text.append(')');
    if (status == 401) {
      text.append(" 'bridle apikey create' makes a key.");
    }
    boolean passing = status == 502 || status == 503 || status == 504;
    return new CommandFailed(passing ? ExitCodes.UNREACHABLE : ExitCodes.FAILED, text.toString());
  }
}
