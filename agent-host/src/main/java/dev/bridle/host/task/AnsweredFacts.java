package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import java.util.Locale;

/** What an agent was told about an action that it has asked for, as an event has it. */
final class AnsweredFacts {
  private static final int MAX_NAME = 256;
  private static final String OUTCOME = "outcome";

  private AnsweredFacts() {}

  /**
   * Adds what was sent: {@code selected} with the option, {@code cancelled}, {@code granted},
   * {@code denied}, or {@code error}.
   */
  static ObjectNode of(Question.Permission question, Reply reply, ObjectNode facts) {
    if (reply instanceof Reply.Chosen chosen) {
      facts.put(OUTCOME, "selected").put("option_id", KeptText.of(chosen.optionId(), MAX_NAME));
      question.options().stream()
          .filter(option -> option.id().equals(chosen.optionId()))
          .findFirst()
          .ifPresent(
              option ->
                  facts
                      .put("option_name", KeptText.of(option.name(), MAX_NAME))
                      .put("option_kind", option.kind().name().toLowerCase(Locale.ROOT)));
    } else if (reply instanceof Reply.Granted granted) {
      facts.put(OUTCOME, "granted").put("modified", granted.arguments().isPresent());
    } else if (reply instanceof Reply.Denied) {
      facts.put(OUTCOME, "denied");
    } else {
      facts.put(OUTCOME, reply instanceof Reply.Failed ? "error" : "cancelled");
    }
    return facts;
  }
}
