package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.StreamEvent;
import java.util.Locale;
import java.util.Optional;

/**
 * What a replay with overrides did otherwise than its source, as an event of it says.
 *
 * @param change what it did, as the event spells it, such as {@code not_taken}
 * @param stepKey the key of the step
 * @param report what was reported, such as {@code message}; empty if nothing was
 * @param reason why a value was overridden; may be empty
 * @param originalEvent the id of the source's event; empty if there is none
 * @param after what was reported, if it was
 */
record StepChange(
    String change,
    String stepKey,
    String report,
    String reason,
    String originalEvent,
    Optional<JsonNode> after) {

  /** Returns the change that an event is about; empty for other events. */
  static Optional<StepChange> of(StreamEvent event) {
    JsonNode payload = event.body().path("payload");
    return payload.has("change")
        ? Optional.of(
            new StepChange(
                OnlineResult.text(payload, "change"),
                OnlineResult.text(payload, "step_key"),
                OnlineResult.text(payload, "report"),
                OnlineResult.text(payload, "reason"),
                event.body().at("/replay/original_event_id").asText(""),
                Optional.empty()))
        : Optional.empty();
  }

  /** Returns whether the next event is what was reported. */
  boolean isFollowed() {
    return switch (report) {
      case "message", "artifact", "progress", "event" -> true;
      default -> false;
    };
  }

  StepChange with(JsonNode reported) {
    return new StepChange(change, stepKey, report, reason, originalEvent, Optional.of(reported));
  }

  /** Returns the change as a line, such as {@code changed said (message)}. */
  String line() {
    StringBuilder line =
        new StringBuilder(
            String.format(Locale.ROOT, "  %-13s %s", change.replace('_', ' '), stepKey));
    if (!report.isEmpty()) {
      line.append(" (").append(report).append(')');
    }
    return reason.isEmpty() ? line.toString() : line.append(": ").append(reason).toString();
  }

  /** Returns the change for scripts. */
  ObjectNode json() {
    ObjectNode json = JsonLines.object().put("change", change).put("step_key", stepKey);
    if (!report.isEmpty()) {
      json.put("report", report);
    }
    if (!reason.isEmpty()) {
      json.put("reason", reason);
    }
    if (!originalEvent.isEmpty()) {
      json.put("original_event_id", originalEvent);
    }
    after.ifPresent(reported -> json.set("after", reported));
    return json;
  }
}
