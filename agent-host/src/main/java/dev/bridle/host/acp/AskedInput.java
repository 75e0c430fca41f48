package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * The input of an action that is asked for, from all places where an agent says it.
 *
 * @param whole what the question says, and what was said beside it of what that leaves out
 * @param known what was said beside the question; missing if nothing was
 */
record AskedInput(JsonNode whole, JsonNode known) {
  private static final String RAW_INPUT = "rawInput";

  /**
   * Reads it.
   *
   * @param approval what the runtime says in the request for approval
   */
  static AskedInput of(ToolCall asked, Optional<ToolCall> said, JsonNode approval) {
    JsonNode input = Members.of(asked.members()).json(RAW_INPUT);
    JsonNode known =
        said.map(call -> Members.of(call.members()).json(RAW_INPUT))
            .orElse(MissingNode.getInstance());
    return new AskedInput(whole(input, approval, known), known);
  }

  private static JsonNode whole(JsonNode asked, JsonNode approval, JsonNode known) {
    if (approval.isMissingNode() || approval.equals(asked)) {
      return merged(asked, known);
    }
    if (asked.isMissingNode()) {
      return merged(approval, known);
    }
    ObjectNode both = JsonNodeFactory.instance.objectNode();
    JsonNode input = merged(asked, known);
    if (input.isObject()) {
      both.setAll((ObjectNode) input);
    } else {
      both.set("input", input);
    }
    return both.set(Question.APPROVAL_ARGUMENTS, approval);
  }

  private static JsonNode merged(JsonNode asked, JsonNode before) {
    if (!before.isObject() || !(asked.isObject() || asked.isMissingNode())) {
      return asked.isMissingNode() ? before : asked;
    }
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    merged.setAll((ObjectNode) before);
    if (asked.isObject()) {
      merged.setAll((ObjectNode) asked);
    }
    return merged;
  }

  /** Returns what was said otherwise beside the question: see {@link Question.Permission}. */
  ObjectNode other() {
    ObjectNode other = JsonNodeFactory.instance.objectNode();
    if (whole.isObject() && (known.isObject() || isSilent(known))) {
      known
          .properties()
          .forEach(
              member -> {
                JsonNode value = whole.path(member.getKey());
                if (!value.isMissingNode() && !value.equals(member.getValue())) {
                  other.set(member.getKey(), member.getValue());
                }
              });
    } else if (!isSilent(known) && !whole.equals(known)) {
      other.set("input", known);
    }
    return other;
  }

  private static boolean isSilent(JsonNode input) {
    return input.isMissingNode()
        || (input.isContainerNode() && input.isEmpty())
        || (input.isTextual() && input.textValue().isEmpty());
  }
}
