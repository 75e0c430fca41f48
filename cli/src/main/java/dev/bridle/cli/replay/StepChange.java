package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.StreamEvent;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a replay with overrides did otherwise than its source, as an event of it says.
 *
 * @param change what it did, as the event spells it, such as {@code not_taken}
 * @param stepKey the key of the step
 * @param report what was reported, such as {@code message}, or what of the end differs; may be
 *     empty
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

  private static final String UNUSED = "not_used";
  private static final String FAILED = "not_refreshed";
  private static final Set<String> FOLLOWED = Set.of("message", "artifact", "progress", "event");

  /** Returns whether a value was replaced. */
  boolean isOverride() {
    return change.equals("overridden") || isRefresh();
  }

  /** Returns whether the handler has computed that value anew. */
  boolean isRefresh() {
    return change.equals("refreshed");
  }

  /** Returns whether the handler has not come to a step. */
  boolean isNotTaken(String key) {
    return change.equals("not_taken") && stepKey.equals(key);
  }

  boolean isOverrideOf(String key) {
    return isOverride() && stepKey.equals(key);
  }

  /** Returns an override that was not used, since the handler did not come to its step. */
  static StepChange unused(String key) {
    return new StepChange(UNUSED, key, "", "", "", Optional.empty());
  }

  /** Returns a value that was to be computed anew, whose computation has failed. */
  static StepChange failed(String key) {
    return new StepChange(FAILED, key, "", "", "", Optional.empty());
  }

  /** Returns whether it is a step that the replay did otherwise. */
  boolean isDifference() {
    return !isOverride() && !isEnd() && !change.equals(UNUSED) && !change.equals(FAILED);
  }

  /** Returns whether it is about the end of the handler, and not about a step. */
  boolean isEnd() {
    return change.equals("ended");
  }

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
    boolean isReported = change.equals("changed") || change.equals("added");
    return isReported && FOLLOWED.contains(report);
  }

  StepChange with(JsonNode reported) {
    return new StepChange(change, stepKey, report, reason, originalEvent, Optional.of(reported));
  }

  /** Returns the change as a line, such as {@code changed said (message)}. */
  String line() {
    StringBuilder line =
        new StringBuilder(String.format(Locale.ROOT, "  %-13s", change.replace('_', ' ')));
    if (!stepKey.isEmpty()) {
      line.append(' ').append(stepKey);
    }
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
