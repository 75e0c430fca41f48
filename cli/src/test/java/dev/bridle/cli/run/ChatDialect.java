package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** OpenAI's chat completions, which opencode and qwen speak, and many others. */
final class ChatDialect implements ModelDialect {
  @Override
  public boolean serves(String path) {
    return path.endsWith("/chat/completions");
  }

  @Override
  public List<String> tools(JsonNode body) {
    return ModelDialect.texts(body.path("tools"), "/function/name");
  }

  @Override
  public boolean isPrompted(JsonNode body) {
    return ModelDialect.last(body.path("messages")).path("role").asText().equals("user");
  }

  @Override
  public Answer call(Request request, int number, ToolUse use) {
    ObjectNode message = ModelDialect.object().put("role", "assistant");
    message
        .putArray("tool_calls")
        .addObject()
        .put("index", 0)
        .put("id", "call_" + number)
        .put("type", "function")
        .putObject("function")
        .put("name", use.tool())
        .put("arguments", use.arguments().toString());
    return answer(request, message, "tool_calls");
  }

  @Override
  public Answer say(Request request, String words) {
    return answer(
        request, ModelDialect.object().put("role", "assistant").put("content", words), "stop");
  }

  private static Answer answer(Request request, ObjectNode message, String reason) {
    if (!request.body().path("stream").asBoolean()) {
      ObjectNode whole = chunk("chat.completion");
      ObjectNode choice = whole.putArray("choices").addObject().put("index", 0);
      choice.set("message", message);
      choice.put("finish_reason", reason);
      return Answer.json(whole);
    }
    ObjectNode first = chunk("chat.completion.chunk");
    ObjectNode choice = first.putArray("choices").addObject().put("index", 0);
    choice.set("delta", message);
    choice.putNull("finish_reason");
    ObjectNode last = chunk("chat.completion.chunk");
    choice = last.putArray("choices").addObject().put("index", 0);
    choice.putObject("delta");
    choice.put("finish_reason", reason);
    return Answer.events("data: " + first + "\n\ndata: " + last + "\n\ndata: [DONE]\n\n");
  }

  private static ObjectNode chunk(String object) {
    ObjectNode chunk =
        ModelDialect.object()
            .put("id", "c1")
            .put("object", object)
            .put("created", 1)
            .put("model", "scripted");
    chunk
        .putObject("usage")
        .put("prompt_tokens", 5)
        .put("completion_tokens", 3)
        .put("total_tokens", 8);
    return chunk;
  }
}
