package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has somebody else find tools: the query is posted to an address of the operator's as it came, and
 * the answer has the shape that the bridge has, with or without {@code result} around it.
 */
public final class SearchEndpoint implements ToolSearch {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MOST_BYTES = 256 << 10;
  private static final int MOST_DIAGNOSTIC = 1000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final URI address;
  private final Duration timeout;
  private final HttpClient client;

  /** Creates the search at an address with the scheme http or https. */
  public SearchEndpoint(URI address) {
    this(address, TIMEOUT);
  }

  SearchEndpoint(URI address, Duration timeout) {
    this.address = address;
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public Found search(Query query) throws ToolFailure, InterruptedException {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("strategy", query.strategy()).put("query", query.text());
    query.candidates().forEach(body.putArray("candidates")::add);
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    HttpResponse<byte[]> response = send(request);
    int length = response.body().length;
    if (response.statusCode() != 200 || length > MOST_BYTES) {
      throw ToolFailure.of(
          "The search endpoint answered with status "
              + response.statusCode()
              + (length > MOST_BYTES ? " and more than " + MOST_BYTES + " bytes" : ""));
    }
    try {
      return found(query, MAPPER.readTree(response.body()));
    } catch (IOException e) {
      throw ToolFailure.of("The search endpoint did not answer with JSON");
    }
  }

  /**
   * A timeout of the request would be over with the head of the answer, so all is waited for here.
   */
  private HttpResponse<byte[]> send(HttpRequest request) throws ToolFailure, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new BoundedBody(MOST_BYTES));
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw ToolFailure.of("The search endpoint did not answer in time");
    } catch (ExecutionException e) {
      throw ToolFailure.of(
          e.getCause() instanceof HttpTimeoutException
              ? "The search endpoint did not answer in time"
              : "The search endpoint can't be reached");
    } finally {
      answer.cancel(true);
    }
  }

  private static Found found(Query query, JsonNode answer) throws ToolFailure {
    JsonNode inner = answer.has("result") ? answer.path("result") : answer;
    if (!inner.path("tool_names").isArray()) {
      throw ToolFailure.of("The search endpoint's answer has no array 'tool_names'");
    }
    Set<String> offered = Set.copyOf(query.candidates());
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode name : inner.path("tool_names")) {
      if (names.size() < MOST && offered.contains(name.asText())) {
        names.add(name.asText());
      }
    }
    String diagnostic = inner.path("diagnostic").asText("");
    return new Found(names.stream().toList(), cut(diagnostic));
  }

  /** Half a character would be no JSON to some runtimes. */
  private static String cut(String text) {
    if (text.length() <= MOST_DIAGNOSTIC) {
      return text;
    }
    boolean isHalf = Character.isHighSurrogate(text.charAt(MOST_DIAGNOSTIC - 1));
    return text.substring(0, isHalf ? MOST_DIAGNOSTIC - 1 : MOST_DIAGNOSTIC);
  }
}
