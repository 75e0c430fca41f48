package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Anthropic's messages, which Claude Code speaks. */
final class MessagesDialect implements ModelDialect {
  @Override
  public boolean serves(String path) {
    return path.endsWith("/v1/messages");
  }

  @Override
  public List<String> tools(JsonNode body) {
    return ModelDialect.texts(body.path("tools"), "/name");
  }

  @Override
  public boolean isPrompted(JsonNode body) {
    JsonNode last = ModelDialect.last(body.path("messages")).path("content");
    return !ModelDialect.texts(last, "/type").contains("tool_result");
  }

  @Override
  public Answer call(Request request, int number, ToolUse use) {
    ObjectNode block =
        ModelDialect.object()
            .put("type", "tool_use")
            .put("id", "toolu_" + number)
            .put("name", use.tool());
    ObjectNode begun = block.deepCopy();
    begun.putObject("input");
    ObjectNode delta =
        ModelDialect.object()
            .put("type", "input_json_delta")
            .put("partial_json", use.arguments().toString());
    block.set("input", use.arguments());
    return answer(request, block, begun, delta, "tool_use");
  }

  @Override
  public Answer say(Request request, String words) {
    ObjectNode block = ModelDialect.object().put("type", "text").put("text", words);
    ObjectNode delta = ModelDialect.object().put("type", "text_delta").put("text", words);
    return answer(request, block, block.deepCopy().put("text", ""), delta, "end_turn");
  }

  private static Answer answer(
      Request request, ObjectNode block, ObjectNode begun, ObjectNode delta, String reason) {
    ObjectNode message =
        ModelDialect.object().put("id", "msg_1").put("type", "message").put("role", "assistant");
    message.set("model", request.body().path("model"));
    message.set("usage", usage());
    message.putArray("content");
    if (!request.body().path("stream").asBoolean()) {
      message.withArray("content").add(block);
      return Answer.json(message.put("stop_reason", reason).putNull("stop_sequence"));
    }
    message.putNull("stop_reason").putNull("stop_sequence");
    return Answer.events(
        event("message_start", ModelDialect.object().set("message", message))
            + event("content_block_start", at(ModelDialect.object().set("content_block", begun)))
            + event("content_block_delta", at(ModelDialect.object().set("delta", delta)))
            + event("content_block_stop", at(ModelDialect.object()))
            + event("message_delta", stop(reason))
            + event("message_stop", ModelDialect.object()));
  }

  private static ObjectNode stop(String reason) {
    ObjectNode stop = ModelDialect.object();
    stop.putObject("delta").put("stop_reason", reason).putNull("stop_sequence");
    stop.set("usage", usage());
    return stop;
  }

  private static ObjectNode at(ObjectNode event) {
    return event.put("index", 0);
  }

  private static ObjectNode usage() {
    return ModelDialect.object().put("input_tokens", 5).put("output_tokens", 3);
  }

  private static String event(String type, ObjectNode event) {
    return "event: " + type + "\ndata: " + event.put("type", type) + "\n\n";
  }
}
