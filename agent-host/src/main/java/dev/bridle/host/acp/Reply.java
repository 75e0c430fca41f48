package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What an agent's question is answered. */
public sealed interface Reply {
  /** A permission is answered by an option that the question offers. */
  record Chosen(String optionId) implements Reply {}

  /** A form is filled in. */
  record Filled(ObjectNode content) implements Reply {
    /** Copies. */
    public Filled {
      content = content.deepCopy();
    }
  }

  /** The user does not fill in the form. */
  record Declined() implements Reply {}

  /** Nobody answers, because the turn was cancelled. */
  record Cancelled() implements Reply {}

  /** The result that goes to the agent. The reply fits to the question. */
  private static JsonNode result(Question question, Reply reply) {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    if (question instanceof Question.Permission) {
      ObjectNode outcome = result.putObject("outcome");
      if (reply instanceof Chosen chosen) {
        return result.set(
            "outcome", outcome.put("outcome", "selected").put("optionId", chosen.optionId()));
      }
      outcome.put("outcome", "cancelled");
      return result;
    }
    if (reply instanceof Filled filled) {
      return result.put("action", "accept").set("content", filled.content());
    }
    return result.put("action", reply instanceof Declined ? "decline" : "cancel");
  }

  /**
   * The result that goes to the agent.
   *
   * @throws IllegalArgumentException if the reply does not fit to the question
   */
  static JsonNode resultOf(Question question, Reply reply) {
    boolean fits;
    if (question instanceof Question.Permission permission) {
      fits =
          reply instanceof Cancelled
              || (reply instanceof Chosen chosen
                  && permission.options().stream()
                      .anyMatch(option -> option.id().equals(chosen.optionId())));
    } else {
      fits = !(reply instanceof Chosen);
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "reply is " + reply + ", expected one that the question offers");
    }
    return result(question, reply);
  }
}
