package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.run.RecordedAgent.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an agent says of a call that it asks about, in its order, as the names of members: without
 * ids, times and paths, so that two runs can be compared.
 */
final class RequestShape {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String REQUEST = "session/request_permission";

  private RequestShape() {}

  /** Returns the shape of the one call that was asked about. */
  static ArrayNode of(List<Frame> frames) {
    JsonNode request =
        frames.stream()
            .filter(Frame::byAgent)
            .map(Frame::message)
            .filter(message -> message.path("method").asText().equals(REQUEST))
            .findFirst()
            .orElseThrow(() -> new AssertionError("The agent has not asked: " + frames));
    String call = request.at("/params/toolCall/toolCallId").asText();
    List<ObjectNode> shapes = new ArrayList<>();
    for (Frame frame : frames) {
      shape(frame, request, call)
          .filter(shape -> shapes.isEmpty() || !shapes.get(shapes.size() - 1).equals(shape))
          .ifPresent(shapes::add);
    }
    return NODES.arrayNode().addAll(shapes);
  }

  private static Optional<ObjectNode> shape(Frame frame, JsonNode request, String call) {
    JsonNode message = frame.message();
    JsonNode update = message.at("/params/update");
    if (frame.byAgent() && update.path("toolCallId").asText().equals(call)) {
      return Optional.of(shape(update.path("sessionUpdate").asText(), update));
    }
    if (frame.byAgent() && message.equals(request)) {
      ObjectNode shape = shape("request_permission", message.at("/params/toolCall"));
      ArrayNode options = shape.putArray("options");
      message.at("/params/options").forEach(option -> options.add(option.path("kind")));
      return Optional.of(shape);
    }
    boolean isAnswer =
        !frame.byAgent() && message.path("id").equals(request.path("id")) && message.has("result");
    return isAnswer ? Optional.of(NODES.objectNode().put("frame", "answer")) : Optional.empty();
  }

  private static ObjectNode shape(String frame, JsonNode call) {
    ObjectNode shape = NODES.objectNode().put("frame", frame);
    if (call.has("status")) {
      shape.set("status", call.get("status"));
    }
    shape.set("members", names(call, List.of("sessionUpdate", "toolCallId")));
    if (call.path("rawInput").isObject()) {
      shape.set("input", names(call.get("rawInput"), List.of()));
    }
    if (!call.path("content").isEmpty()) {
      ArrayNode types = shape.putArray("content");
      call.get("content").forEach(part -> types.add(part.path("type")));
    }
    return shape;
  }

  /** Returns the names of an object's members, sorted. */
  static ArrayNode names(JsonNode object, List<String> without) {
    ArrayNode names = NODES.arrayNode();
    object.properties().stream()
        .map(member -> member.getKey())
        .filter(name -> !without.contains(name))
        .sorted()
        .forEach(names::add);
    return names;
  }
}
