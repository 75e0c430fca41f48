package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** What an agent's question is answered. */
public sealed interface Reply {
  /** A permission is answered by an option that the question offers. */
  record Chosen(String optionId) implements Reply {}

  /**
   * A permission that is answered by a word is granted.
   *
   * @param arguments what the action is to be done with instead of what was asked for
   */
  record Granted(Optional<ObjectNode> arguments) implements Reply {
    /** Copies. */
    public Granted {
      arguments = arguments.map(ObjectNode::deepCopy);
    }
  }

  /**
   * A permission that is answered by a word is denied.
   *
   * @param reason a sentence for the agent, may be empty
   */
  record Denied(String reason) implements Reply {}

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

  /**
   * The question can't be answered: an error, which agents take for a denial. The way to deny what
   * offers no option to reject.
   *
   * @param message a sentence for the agent
   */
  record Failed(String message) implements Reply {}

  /**
   * Checks that a reply fits to a question.
   *
   * @throws IllegalArgumentException if it does not
   */
  static void check(Question question, Reply reply) {
    boolean fits = reply instanceof Cancelled || reply instanceof Failed;
    if (question instanceof Question.Permission permission && reply instanceof Chosen chosen) {
      fits =
          permission.options().stream().anyMatch(option -> option.id().equals(chosen.optionId()));
    } else if (question instanceof Question.Permission permission) {
      fits |= reply instanceof Denied && permission.answeredByWord();
      fits |=
          reply instanceof Granted granted
              && (granted.arguments().isEmpty()
                  ? permission.answeredByWord()
                  : permission.acceptsModified());
    } else if (question instanceof Question.Form) {
      fits |= reply instanceof Filled || reply instanceof Declined;
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "reply is " + reply + ", expected one that the question offers");
    }
  }

  /** The result that goes to the agent, of a reply that fits and has not failed. */
  static JsonNode resultOf(Question question, Reply reply) {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    if (reply instanceof Granted granted && granted.arguments().isPresent()) {
      return result.put("granted", true).set("args", granted.arguments().get());
    }
    if (reply instanceof Denied denied) {
      result.put("granted", false);
      return denied.reason().isEmpty() ? result : result.put("reason", denied.reason());
    }
    if (question instanceof Question.Permission) {
      ObjectNode outcome = result.putObject("outcome");
      if (reply instanceof Chosen chosen) {
        outcome.put("outcome", "selected").put("optionId", chosen.optionId());
      } else {
        outcome.put("outcome", reply instanceof Granted ? "selected" : "cancelled");
      }
      return result;
    }
    if (reply instanceof Filled filled) {
      return result.put("action", "accept").set("content", filled.content());
    }
    return result.put("action", reply instanceof Declined ? "decline" : "cancel");
  }
}
