package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** OpenAI's responses, which codex speaks, as a stream of events. */
final class ResponsesDialect implements ModelDialect {
  @Override
  public boolean serves(String path) {
    return path.endsWith("/responses");
  }

  @Override
  public List<String> tools(JsonNode body) {
    return ModelDialect.texts(body.path("tools"), "/name");
  }

  @Override
  public boolean isPrompted(JsonNode body) {
    return !ModelDialect.last(body.path("input")).path("type").asText().endsWith("_output");
  }

  @Override
  public Answer call(Request request, int number, ToolUse use) {
    ObjectNode item =
        ModelDialect.object()
            .put("id", "item_" + number)
            .put("call_id", "call_" + number)
            .put("name", use.tool())
            .put("status", "completed");
    if (takesText(request.body(), use.tool())) {
      item.put("type", "custom_tool_call")
          .put("input", use.arguments().path(ToolUse.TEXT).textValue());
    } else {
      item.put("type", "function_call").put("arguments", use.arguments().toString());
    }
    return answer(item);
  }

  private static boolean takesText(JsonNode body, String tool) {
    for (JsonNode offered : body.path("tools")) {
      if (offered.path("name").asText().equals(tool)) {
        return offered.path("type").asText().equals("custom");
      }
    }
    return false;
  }

  @Override
  public Answer say(Request request, String words) {
    ObjectNode item =
        ModelDialect.object()
            .put("type", "message")
            .put("id", "item_0")
            .put("role", "assistant")
            .put("status", "completed");
    item.putArray("content")
        .addObject()
        .put("type", "output_text")
        .put("text", words)
        .putArray("annotations");
    return answer(item);
  }

  private static Answer answer(ObjectNode item) {
    ObjectNode created = ModelDialect.object();
    created.set("response", response("in_progress"));
    ObjectNode done = ModelDialect.object().put("output_index", 0);
    done.set("item", item);
    ObjectNode response = response("completed");
    response.withArray("output").add(item);
    ObjectNode usage =
        response
            .putObject("usage")
            .put("input_tokens", 5)
            .put("output_tokens", 3)
            .put("total_tokens", 8);
    usage.putObject("input_tokens_details").put("cached_tokens", 0);
    usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
    ObjectNode completed = ModelDialect.object();
    completed.set("response", response);
    return Answer.events(
        event("response.created", created)
            + event("response.output_item.done", done)
            + event("response.completed", completed));
  }

  private static ObjectNode response(String status) {
    ObjectNode response =
        ModelDialect.object()
            .put("id", "resp_1")
            .put("object", "response")
            .put("created_at", 1)
            .put("status", status);
    response.putArray("output");
    return response;
  }

  private static String event(String type, ObjectNode event) {
    return "event: " + type + "\ndata: " + event.put("type", type) + "\n\n";
  }
}
