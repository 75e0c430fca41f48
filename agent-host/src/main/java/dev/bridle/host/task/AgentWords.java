package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;

/**
 * What an agent says of an action beside its content: its title, texts, the description of a
 * command, other names of the tool, the circumstances. People are shown it, rules match it, and it
 * is signed; a grant does not depend on it.
 */
final class AgentWords {
  /** The member that has the title. */
  static final String TITLE = "title";

  private static final int MAX_BYTES = 60 << 10;
  private static final int MAX_TEXT = 8 << 10;
  private static final int MAX_TITLE = 4 << 10;
  private static final int MOST_TEXTS = 16;

  private AgentWords() {}

  static ObjectNode of(Question.Permission question, InputParts parts) {
    ToolCall call = question.asked();
    ObjectNode said = JsonNodeFactory.instance.objectNode();
    if (!call.title().isEmpty()) {
      JsonNode title = JsonNodeFactory.instance.textNode(call.title());
      said.set(TITLE, Bounded.text(title, MAX_TITLE));
    }
    ArrayNode texts = texts(call);
    if (!texts.isEmpty()) {
      said.set("texts", texts);
    }
    if (!question.otherNames().isEmpty()) {
      ArrayNode names = said.putArray("names");
      question.otherNames().stream().limit(MOST_TEXTS).forEach(names::add);
    }
    parts
        .said()
        .properties()
        .forEach(member -> said.set(free(said, member.getKey()), member.getValue()));
    question
        .circumstances()
        .properties()
        .forEach(member -> said.set(free(said, member.getKey()), member.getValue()));
    return Bounded.members(said, MAX_BYTES);
  }

  private static String free(ObjectNode said, String name) {
    return said.has(name) ? "input_" + name : name;
  }

  /** Returns the texts among the parts of a tool call, in their order. */
  static ArrayNode texts(ToolCall call) {
    ArrayNode texts = JsonNodeFactory.instance.arrayNode();
    int count = 0;
    for (JsonNode part : call.content()) {
      JsonNode text = part.path("content").path("text");
      if (part.path("type").asText().equals("content") && text.isTextual()) {
        if (++count <= MOST_TEXTS) {
          texts.add(Bounded.text(text, MAX_TEXT));
        }
      }
    }
    if (count > MOST_TEXTS) {
      texts
          .addObject()
          .put("left_out", count - MOST_TEXTS)
          .put("sha256", Sha256.hex(call.content().toString()));
    }
    return texts;
  }
}
