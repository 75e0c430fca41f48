package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Google's generateContent, which Gemini CLI speaks. */
final class GeminiDialect implements ModelDialect {
  private static final String STREAM = ":streamGenerateContent";

  @Override
  public boolean serves(String path) {
    return path.endsWith(":generateContent") || path.endsWith(STREAM);
  }

  @Override
  public List<String> tools(JsonNode body) {
    List<String> names = new ArrayList<>();
    body.path("tools")
        .forEach(
            tools -> names.addAll(ModelDialect.texts(tools.path("functionDeclarations"), "/name")));
    return names;
  }

  @Override
  public boolean isPrompted(JsonNode body) {
    JsonNode last = ModelDialect.last(body.path("contents")).path("parts");
    return last.findParent("functionResponse") == null;
  }

  @Override
  public Answer call(Request request, int number, ToolUse use) {
    ObjectNode part = ModelDialect.object();
    part.putObject("functionCall").put("name", use.tool()).set("args", use.arguments());
    return answer(request, part);
  }

  @Override
  public Answer say(Request request, String words) {
    return answer(request, ModelDialect.object().put("text", words));
  }

  private static Answer answer(Request request, ObjectNode part) {
    ObjectNode whole = ModelDialect.object().put("modelVersion", "scripted");
    ObjectNode candidate =
        whole.putArray("candidates").addObject().put("index", 0).put("finishReason", "STOP");
    candidate.putObject("content").put("role", "model").putArray("parts").add(part);
    whole
        .putObject("usageMetadata")
        .put("promptTokenCount", 5)
        .put("candidatesTokenCount", 3)
        .put("totalTokenCount", 8);
    return request.path().endsWith(STREAM)
        ? Answer.events("data: " + whole + "\n\n")
        : Answer.json(whole);
  }
}
