package dev.bridle.host.bridge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

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
  private final HttpClient client;

  /** Creates the search at an address with the scheme http or https. */
  public SearchEndpoint(URI address) {
    this.address = address;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
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
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    try {
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream answer = response.body()) {
        byte[] bytes = answer.readNBytes(MOST_BYTES + 1);
        if (response.statusCode() != 200 || bytes.length > MOST_BYTES) {
          throw ToolFailure.of(
              "The search endpoint answered with status "
                  + response.statusCode()
                  + (bytes.length > MOST_BYTES ? " and more than " + MOST_BYTES + " bytes" : ""));
        }
        return found(query, MAPPER.readTree(bytes));
      }
    } catch (JsonProcessingException e) {
      throw ToolFailure.of("The search endpoint did not answer with JSON");
    } catch (IOException e) {
      throw ToolFailure.of("The search endpoint can't be reached");
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
    return new Found(
        names.stream().toList(),
        diagnostic.length() <= MOST_DIAGNOSTIC
            ? diagnostic
            : diagnostic.substring(0, MOST_DIAGNOSTIC));
  }
}
