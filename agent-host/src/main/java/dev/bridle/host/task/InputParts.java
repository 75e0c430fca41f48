package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.preset.RequestTraits;
import java.util.Locale;
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
  static final String DESCRIPTION = "description";

  /** Where agents repeat the id of the tool call. */
  private static final Set<String> CALL_IDS =
      Set.of("call_id", "callId", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId");

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.:-]{1,128}");

  /** Members that say where something is done, and not what. */
  private static final Pattern PLACE =
      Pattern.compile("cwd|.*(path|file|filename|uri|dir|directory|folder)s?");

  static InputParts of(Question.Permission question, String kind, RequestTraits traits) {
    JsonNode input = question.input();
    ObjectNode said = JsonNodeFactory.instance.objectNode();
    ObjectNode other = JsonNodeFactory.instance.objectNode();
    question
        .otherInput()
        .properties()
        .forEach(
            member -> {
              if (!isSaid(member.getKey(), member.getValue(), question, kind, traits)) {
                other.set(member.getKey(), member.getValue());
              }
            });
    if (!input.isObject()) {
      return new InputParts(input, said, other);
    }
    ObjectNode bound = JsonNodeFactory.instance.objectNode();
    input
        .properties()
        .forEach(
            member -> {
              boolean isSaid = isSaid(member.getKey(), member.getValue(), question, kind, traits);
              (isSaid ? said : bound).set(member.getKey(), member.getValue());
            });
    return new InputParts(bound, said, other);
  }

  /** Returns the members of an input by which two calls of an action are compared. */
  static JsonNode bound(JsonNode input, String toolCallId, String kind, RequestTraits traits) {
    if (!input.isObject()) {
      return input;
    }
    ObjectNode bound = JsonNodeFactory.instance.objectNode();
    input
        .properties()
        .forEach(
            member -> {
              if (!isSaid(member.getKey(), member.getValue(), toolCallId, kind, traits)) {
                bound.set(member.getKey(), member.getValue());
              }
            });
    return bound;
  }

  private static boolean isSaid(
      String name,
      JsonNode value,
      Question.Permission question,
      String kind,
      RequestTraits traits) {
    return isSaid(name, value, question.toolCallId(), kind, traits);
  }

  private static boolean isSaid(
      String name, JsonNode value, String toolCallId, String kind, RequestTraits traits) {
    return (name.equals(DESCRIPTION) && kind.equals(AskedAction.COMMAND))
        || traits.perCall().contains(name)
        || (CALL_IDS.contains(name)
            && value.isTextual()
            && value.textValue().equals(toolCallId)
            && ID.matcher(toolCallId).matches());
  }

  /** Returns whether a member of this name says where something is done. */
  static boolean isPlace(String name) {
    return PLACE.matcher(name.toLowerCase(Locale.ROOT).replaceAll("[_-]", "")).matches();
  }

  /** Returns whether there is more than places and what the input says of itself. */
  boolean saysMoreThanPlaces() {
    return !isEmpty()
        && (!bound.isObject()
            || bound.properties().stream()
                .anyMatch(
                    member ->
                        !member.getKey().equals(DESCRIPTION)
                            && !member.getValue().isNull()
                            && !isPlace(member.getKey())));
  }

  /** Returns whether there is no input, or one that only describes itself. */
  boolean isEmpty() {
    return bound.isMissingNode()
        || bound.isNull()
        || (bound.isObject()
            && bound.properties().stream().allMatch(member -> member.getKey().equals(DESCRIPTION)));
  }
}
