package dev.bridle.cli.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Timeouts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ProtocolException;
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
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * Calls a server of the Agents Protocol. Throws {@link CommandFailed} with the server's error
 * message for each response that is not a success.
 *
 * <p>If the connection is lost, reads and commands with an idempotency key are retried for up to
 * {@link Timeouts#RECONNECT}; other calls are retried only if they were not sent.
 */
public final class RestClient {
  private static final String VERSION_HEADER = "Harn-Agents-Protocol-Version";
  private static final String VERSION = "agents-protocol-2026-04-25";

  /** The largest page that servers return. */
  private static final int PAGE = 200;

  /** HTTP statuses after which a stream can be reopened. */
  private static final Set<Integer> PASSING = Set.of(502, 503, 504);

  private final HttpClient http;
  private final String base;
  private final String apiKey;
  private final RetryPolicy policy;
  private final Consumer<String> notices;
  private volatile boolean reached;
  private boolean known;

  /** Creates a client of the server at a URL that authenticates with an API key. */
  public RestClient(URI base, String apiKey) {
    this(base, apiKey, notice -> {});
  }

  /**
   * Creates a client that also reports retries.
   *
   * @param notices receives messages for the user
   */
  public RestClient(URI base, String apiKey, Consumer<String> notices) {
    this(base, apiKey, RetryPolicy.DEFAULT, notices, Optional.empty());
  }

  /**
   * Creates a client that trusts other servers than Java does.
   *
   * @param apiKey the API key; empty to call without one
   * @param notices receives messages for the user
   * @param trust which servers are trusted; if absent, those that Java trusts
   */
  public RestClient(URI base, String apiKey, Consumer<String> notices, Optional<SSLContext> trust) {
    this(base, apiKey, RetryPolicy.DEFAULT, notices, trust);
  }

  /**
   * Creates a client of a server that is known to run, or to be started again: if it can't be
   * reached, or has not admitted the key again yet, calls are retried as after a lost connection.
   *
   * @param notices receives messages for the user
   */
  public static RestClient ofKnown(URI base, String apiKey, Consumer<String> notices) {
    return ofKnown(base, apiKey, notices, Optional.empty());
  }

  /**
   * Creates a client as {@link #ofKnown(URI, String, Consumer)} does.
   *
   * @param notices receives messages for the user
   * @param trust which servers are trusted; if absent, those that Java trusts
   */
  public static RestClient ofKnown(
      URI base, String apiKey, Consumer<String> notices, Optional<SSLContext> trust) {
    RestClient client = new RestClient(base, apiKey, notices, trust);
    client.reached = true;
    client.known = true;
    return client;
  }

  RestClient(URI base, String apiKey, RetryPolicy policy, Consumer<String> notices) {
    this(base, apiKey, policy, notices, Optional.empty());
  }

  private RestClient(
      URI base,
      String apiKey,
      RetryPolicy policy,
      Consumer<String> notices,
      Optional<SSLContext> trust) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Timeouts.CONNECT);
    this.http = trust.map(builder::sslContext).orElse(builder).build();
    this.base = base.toString().replaceAll("/+$", "");
    this.apiKey = apiKey;
    this.policy = policy;
    this.notices = notices;
  }

  /** Reads a resource or a list. */
  public JsonNode get(String path) {
    return json(send(request(path).GET(), true));
  }

  /** Passes the resources of a list to a consumer, page by page, up to {@code limit} of them. */
  public void rows(String list, int limit, Consumer<JsonNode> consumer) {
    String query = list + (list.contains("?") ? "&" : "?") + "limit=";
    String cursor = "";
    for (int left = limit; left > 0; ) {
      JsonNode page = get(query + Math.min(left, PAGE) + cursor);
      page.path("data").forEach(consumer);
      left -= page.path("data").size();
      if (!page.at("/page/has_more").asBoolean()) {
        return;
      }
      cursor = "&cursor=" + escape(page.at("/page/next_cursor").asText());
    }
  }

  /** Reads bytes. */
  public byte[] bytes(String path) {
    return body(send(request(path).GET(), true));
  }

  /**
   * Passes on the lines of a text as they come, in one attempt. Fails where the text breaks off.
   *
   * @throws BrokenCall if the connection fails
   */
  public void lines(String path, Consumer<String> consumer) {
    HttpResponse<InputStream> response =
        attempt(request(path).GET(), BodyHandlers.ofInputStream(), true);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      if (response.statusCode() >= 300) {
        throw refused(
            response.statusCode(),
            in.lines().collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8));
      }
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        consumer.accept(line);
      }
    } catch (IOException e) {
      throw BrokenCall.of(base, true, e);
    }
  }

  /** Posts a command. A retry with the same idempotency key applies it once. */
  public JsonNode post(String path, JsonNode body, String idempotencyKey) {
    return change("POST", path, body, idempotencyKey);
  }

  /**
   * Changes something. A retry with the same idempotency key applies it once.
   *
   * @param method the HTTP method
   */
  public JsonNode change(String method, String path, JsonNode body, String idempotencyKey) {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", idempotencyKey)
            .method(method, BodyPublishers.ofString(body.toString()));
    return json(send(request, true));
  }

  /** Deletes a resource. A retry with the same idempotency key applies it once. */
  public void delete(String path, String idempotencyKey) {
    HttpRequest.Builder request = request(path).header("Idempotency-Key", idempotencyKey).DELETE();
    var unused = body(send(request, true));
  }

  /** Uploads bytes. Not retried after a lost connection, since uploads have no idempotency key. */
  public void put(String path, byte[] content, String mediaType) {
    HttpRequest.Builder request =
        request(path).header("Content-Type", mediaType).PUT(BodyPublishers.ofByteArray(content));

    var unused = body(send(request, false));
  }

  /**
   * Opens an event stream after the event with that id, or at its beginning, in one attempt.
   *
   * @param timeout for how long to wait for the response; if absent, without end
   * @throws BrokenCall if another attempt may succeed
   */
  InputStream open(String path, Optional<String> lastEventId, Optional<Duration> timeout) {
    HttpRequest.Builder request = request(path).header("Accept", "text/event-stream").GET();
    lastEventId.ifPresent(id -> request.header("Last-Event-ID", id));
    timeout.ifPresent(request::timeout);
    try {
      HttpResponse<InputStream> response = attempt(request, BodyHandlers.ofInputStream(), true);
      if (response.statusCode() == 200) {
        return response.body();
      }
      try (InputStream refusal = response.body()) {
        CommandFailed refused = refused(response.statusCode(), refusal.readAllBytes());
        throw PASSING.contains(response.statusCode()) || isNotAdmitted(response)
            ? BrokenCall.ofStream(refused.getMessage())
            : refused;
      }
    } catch (IOException e) {
      throw BrokenCall.of(base, true, e);
    }
  }

  /** Returns the retry state of a new call. */
  Attempts attempts() {
    return new Attempts(policy.pause());
  }

  /** Pauses and returns true if the call is to be retried. */
  boolean retries(Attempts attempts, BrokenCall failure) {
    reached |= failure.isConnected();
    return attempts.retryWithin(reached ? policy.reconnect() : policy.firstConnection());
  }

  /** Escapes a value for a path or a query. */
  public static String escape(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path)).header(VERSION_HEADER, VERSION);
    return apiKey.isEmpty() ? request : request.header("Authorization", "Bearer " + apiKey);
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request, boolean repeatable) {
    Attempts attempts = attempts();
    while (true) {
      try {
        return attempt(request.timeout(Timeouts.REST_CALL), BodyHandlers.ofByteArray(), repeatable);
      } catch (BrokenCall e) {
        boolean first = attempts.isUndisturbed();
        boolean unsent = !e.isConnected();
        if (!(repeatable || unsent) || !retries(attempts, e)) {
          throw e;
        }
        if (first && reached) {
          notices.accept("the connection to " + base + " was lost; retrying");
        }
      }
    }
  }

  private <T> HttpResponse<T> attempt(
      HttpRequest.Builder request, BodyHandler<T> handler, boolean repeatable) {
    try {
      HttpResponse<T> response = http.send(request.build(), handler);
      reached = true;
      if (isNotAdmitted(response) && response.body() instanceof byte[]) {
        throw BrokenCall.ofStream("The server does not know this command's key any more.");
      }
      return response;
    } catch (ProtocolException e) {
      throw BrokenCall.ofOtherProtocol(base, e);
    } catch (IOException e) {
      if (e instanceof SSLException && !reached) {
        throw BrokenCall.untrusted(base, e);
      }
      throw BrokenCall.of(base, repeatable, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }

  private boolean isNotAdmitted(HttpResponse<?> response) {
    return known && response.statusCode() == 401;
  }

  private JsonNode json(HttpResponse<byte[]> response) {
    return JsonLines.parse(new String(body(response), StandardCharsets.UTF_8))
        .orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.FAILED,
                    "The response of "
                        + base
                        + " is not JSON. Check that --url names a server of the Agents Protocol."));
  }

  private static byte[] body(HttpResponse<byte[]> response) {
    if (response.statusCode() >= 300) {
      throw refused(response.statusCode(), response.body());
    }
    return response.body();
  }

  /** Returns the error of a document; a relay of HARP sends errors in envelopes. */
  static JsonNode error(JsonNode document) {
    return document.path("msgType").asText("").equals("error")
        ? document.path("body")
        : document.path("error");
  }

  private static CommandFailed refused(int status, byte[] body) {
    JsonNode error =
        error(
            JsonLines.parse(new String(body, StandardCharsets.UTF_8)).orElseGet(JsonLines::object));
    StringBuilder text =
        new StringBuilder(error.path("message").asText("The server rejected the call."));
    text.append(" (").append(status);
    error.path("code").asText("").lines().forEach(code -> text.append(' ').append(code));
    if (error.path("param").isTextual()) {
      text.append(" at ").append(error.path("param").textValue());
    }
    text.append(')');
    if (status == 401) {
      text.append(" 'bridle apikey create' creates a key.");
    }
    return new RefusedCall(status, text.toString());
  }
}
