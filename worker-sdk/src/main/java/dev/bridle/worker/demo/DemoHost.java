package dev.bridle.worker.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.worker.HostTool;
import dev.bridle.worker.TaskFailure;
import java.time.Duration;
import java.util.Optional;

/** A tool call of the demo agent to a client, to demonstrate host tools. */
final class DemoHost {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private DemoHost() {}

  /**
   * Reads the member {@code host_tool}: {@code {"name": "open_file", "input": {}, "side_effect":
   * "none", "timeout_ms": 1000, "hold_ms": 1000}}, of which only the name is required.
   */
  static Optional<HostTool> of(JsonNode host) throws TaskFailure {
    if (host.isMissingNode() || host.isNull()) {
      return Optional.empty();
    }
    JsonNode name = host.path("name");
    if (!name.isTextual() || name.textValue().isBlank()) {
      throw DemoInput.bad("`host_tool` has no name");
    }
    JsonNode input = host.has("input") ? host.get("input") : MAPPER.createObjectNode();
    if (!(input instanceof ObjectNode)) {
      throw DemoInput.bad("`host_tool.input` is not an object");
    }
    HostTool tool =
        HostTool.of(name.textValue(), input, "The demo agent counts the words of what it gives.");
    if (host.path("side_effect").isTextual()) {
      tool = tool.withSideEffect(host.path("side_effect").textValue());
    }
    Optional<Duration> timeout = millis(host, "timeout_ms");
    if (timeout.isPresent()) {
      tool = tool.within(timeout.get());
    }
    return Optional.of(tool.holding(millis(host, "hold_ms").orElse(Duration.ZERO)));
  }

  private static Optional<Duration> millis(JsonNode host, String member) throws TaskFailure {
    JsonNode value = host.path(member);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isInt() || value.intValue() < 1) {
      throw DemoInput.bad("`host_tool." + member + "` is not a whole number above 0");
    }
    return Optional.of(Duration.ofMillis(value.intValue()));
  }
}
