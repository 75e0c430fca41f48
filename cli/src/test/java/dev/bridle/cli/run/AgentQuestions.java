package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The questions that the scripted agent asks, as the parameters of its requests. */
final class AgentQuestions {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private AgentQuestions() {}

  /** Returns whether an action is allowed, with an option to allow it and one to reject it. */
  static ObjectNode permission(
      String callId, String name, String kind, ObjectNode input, ArrayNode shown) {
    ObjectNode params = ofSession();
    ObjectNode call =
        params
            .putObject("toolCall")
            .put("toolCallId", callId)
            .put("title", "make " + name)
            .put("kind", kind);
    call.set("rawInput", input);
    call.set("content", shown);
    ArrayNode options = params.putArray("options");
    options.addObject().put("optionId", "yes").put("name", "Yes").put("kind", "allow_once");
    options.addObject().put("optionId", "no").put("name", "No").put("kind", "reject_once");
    return params;
  }

  /** Returns a question without options, as the Harn bridge asks it. */
  static ObjectNode word(String callId, String name) {
    ObjectNode params = ofSession();
    params
        .putObject("toolCall")
        .put("toolCallId", callId)
        .put("toolName", "make_file")
        .putObject("rawInput")
        .put("name", name);
    params.putArray("declaredPaths").add(name);
    return params;
  }

  /** Returns such a question that wants two approvals, and shows evidence. */
  static ObjectNode quorum(String callId, String approvalId, String name) {
    ObjectNode params = word(callId, name);
    ObjectNode approval =
        params.putObject("approvalRequest").put("id", approvalId).put("approvers_required", 2);
    approval.putArray("evidence_refs").addObject().put("uri", "artifact:plan");
    approval.putObject("undo_metadata").put("command", "rm " + name);
    return params;
  }

  /** Returns a form with a field of each of some types. */
  static ObjectNode form() {
    ObjectNode params = ofSession().put("mode", "form").put("message", "Who are you?");
    ObjectNode schema = params.putObject("requestedSchema").put("type", "object");
    ObjectNode fields = schema.putObject("properties");
    fields.putObject("name").put("type", "string");
    fields.putObject("age").put("type", "integer").put("minimum", 1);
    fields.putObject("nick").put("type", "string");
    fields.putObject("colour").put("type", "string").putArray("enum").add("red").add("blue");
    schema.putArray("required").add("name").add("age").add("colour");
    return params;
  }

  private static ObjectNode ofSession() {
    return MAPPER.createObjectNode().put("sessionId", "s-1");
  }
}
