package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import java.util.Optional;

/** How a permission request was decided, in words. */
final class Decided {
  private Decided() {}

  /**
   * Returns how a request was decided, and by whom; empty while it is open, and where the actor
   * decided it at the terminal. Their device may have decided it, too.
   */
  static Optional<String> byOthers(JsonNode request, String actor) {
    String status = request.path("status").asText();
    if (status.equals("pending")) {
      return Optional.empty();
    }
    JsonNode answers = request.at("/response/answers");
    if (answers.isEmpty()) {
      return Optional.of(
          switch (request.at("/response/reason").asText()) {
            case "timed_out" -> "nobody answered in time: it is not allowed";
            case "withdrawn" -> "the agent has withdrawn the question";
            case "changed" -> "the agent has changed what it asks for";
            default -> "the question is withdrawn: the task has ended";
          });
    }
    JsonNode last = answers.get(answers.size() - 1);
    boolean onDevice = last.path("channel").asText().equals("harp");
    if (last.path("actor").asText().equals(actor) && !onDevice) {
      return Optional.empty();
    }
    StringBuilder text =
        new StringBuilder(last.path("approved").asBoolean() ? "approved" : "denied");
    text.append(" by ").append(ShownText.line(last.path("actor").asText()));
    if (last.path("approved").asBoolean()) {
      String option = last.path("option_id").asText("");
      if (!option.isEmpty()) {
        text.append(", by the option ").append(ShownText.line(option));
      }
      String grant = last.path("grant").asText("");
      text.append(grant.isEmpty() ? ", once" : ", with the grant " + ShownText.line(grant));
      if (last.path("arguments").isObject()) {
        text.append(", with other arguments: ")
            .append(ShownText.line(last.get("arguments").toString()));
      }
    }
    String reason = last.path("reason").asText("");
    return Optional.of(
        text + (reason.isEmpty() ? "" : ", with the reason: " + ShownText.line(reason)));
  }
}
