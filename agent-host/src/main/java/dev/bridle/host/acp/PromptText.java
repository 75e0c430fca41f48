package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;

/** The words of a prompt. */
final class PromptText {
  private PromptText() {}

  /** Returns the text of content blocks, a line for each. */
  static String of(ArrayNode content) {
    List<String> texts = new ArrayList<>();
    content.forEach(block -> texts.add(block.path("text").asText("")));
    return String.join("\n", texts);
  }
}
