package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The requests of a runtime about the host's tools, and about its own. */
final class ToolRequests {
  private static final int MOST_NAME = 256;
  private static final int MOST_QUERY = 16 << 10;
  private static final int MOST_CANDIDATES = 10_000;

  private final BridgeServices services;

  ToolRequests(BridgeServices services) {
    this.services = services;
  }

  ObjectNode list() {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode tools = answer.putArray("tools");
    services.tools().list().forEach(tool -> tools.add(tool.json()));
    return answer;
  }

  /** Takes the arguments as one payload, in a list or bare. */
  JsonNode call(JsonNode params) throws BadRequest, ToolFailure, InterruptedException {
    String name = BadRequest.text(params, "name", MOST_NAME);
    JsonNode given = params.path("args");
    if (given.isArray()) {
      if (given.size() > 1) {
        throw new BadRequest("args must have one payload, and has " + given.size());
      }
      given = given.path(0);
    }
    boolean isNothing = given.isMissingNode() || given.isNull();
    if (!isNothing && !given.isObject()) {
      throw new BadRequest("args must hold an object");
    }
    return services.tools().call(name, isNothing ? JsonNodeFactory.instance.objectNode() : given);
  }

  ObjectNode search(JsonNode params) throws BadRequest, ToolFailure, InterruptedException {
    String strategy = BadRequest.text(params, "strategy", MOST_NAME);
    ToolSearch search =
        switch (strategy) {
          case "semantic" -> services.search();
          case "host" -> services.hostSearch();
          default ->
              throw new BadRequest(
                  "strategy must be 'semantic' or 'host'; the runtime serves others itself");
        };
    ToolSearch.Query query =
        new ToolSearch.Query(
            strategy,
            BadRequest.text(params, "query", MOST_QUERY),
            BadRequest.texts(params, "candidates", MOST_CANDIDATES));
    ToolSearch.Found found = search.search(query);
    List<String> names =
        found.toolNames().stream()
            .filter(query.candidates()::contains)
            .limit(ToolSearch.MOST)
            .toList();
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    names.forEach(answer.putArray("tool_names")::add);
    if (!found.diagnostic().isEmpty()) {
      answer.put("diagnostic", found.diagnostic());
    }
    return answer;
  }
}
