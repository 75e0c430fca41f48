package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.preset.RequestTraits;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The members of an action's input: those that say what is done, and those that an agent says
 * otherwise each time.
 *
 * @param bound what is done; the input itself where it is no object, missing where there is none
 * @param said the description of a command, and what differs from call to call
 * @param other what the input was said to be otherwise, of the members that are bound
 */
record InputParts(JsonNode bound, ObjectNode said, ObjectNode other) {
  /** What an agent says of a command; an argument of other tools. */
  private static final String DESCRIPTION = "description";

  /** Where agents repeat the id of the tool call. */
  private static final Set<String> CALL_IDS =
      Set.of("call_id", "callId", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId");

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.:-]{1,128}");

  static InputParts of(Question.Permission question, String kind, RequestTraits traits) {
    InputParts parts = of(question.input(), question.toolCallId(), kind, traits);
    JsonNode other = bound(question.otherInput(), question.toolCallId(), kind, traits);
    return new InputParts(parts.bound, parts.said, (ObjectNode) other);
  }

  /** Returns the members of an input by which two calls of an action are compared. */
  static JsonNode bound(JsonNode input, String toolCallId, String kind, RequestTraits traits) {
    return of(input, toolCallId, kind, traits).bound;
  }

  private static InputParts of(
      JsonNode input, String toolCallId, String kind, RequestTraits traits) {
    ObjectNode bound = JsonNodeFactory.instance.objectNode();
    ObjectNode said = JsonNodeFactory.instance.objectNode();
    for (var member : input.properties()) {
      String name = member.getKey();
      boolean isSaid =
          (name.equals(DESCRIPTION) && kind.equals(AskedAction.COMMAND))
              || traits.perCall().contains(name)
              || isCallId(name, member.getValue(), toolCallId);
      (isSaid ? said : bound).set(name, member.getValue());
    }
    return new InputParts(
        input.isObject() ? bound : input, said, JsonNodeFactory.instance.objectNode());
  }

  private static boolean isCallId(String name, JsonNode value, String toolCallId) {
    return CALL_IDS.contains(name)
        && value.isTextual()
        && value.textValue().equals(toolCallId)
        && ID.matcher(toolCallId).matches();
  }

  /** Returns whether there is no input, or one that only describes itself. */
  boolean isEmpty() {
    return bound.isMissingNode()
        || bound.isNull()
        || (bound.isObject()
            && bound.properties().stream().allMatch(member -> member.getKey().equals(DESCRIPTION)));
  }

  /** Returns whether there is more than places and what the input says of itself. */
  boolean saysMoreThanPlaces() {
    return !isEmpty()
        && (!bound.isObject()
            || bound.properties().stream()
                .anyMatch(member -> saysWhat(member.getKey(), member.getValue())));
  }

  private static boolean saysWhat(String name, JsonNode value) {
    return !name.equals(DESCRIPTION)
        && !value.isNull()
        && !PlaceNames.isFile(name)
        && !PlaceNames.isFolder(name);
  }
}
