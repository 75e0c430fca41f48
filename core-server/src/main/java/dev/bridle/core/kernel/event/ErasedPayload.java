package dev.bridle.core.kernel.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.bridle.record.v1.EventRecord;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Erases the payload of an event with its salt. The commitment stays, and a descriptor that names
 * what the event was about (protocol section "Privacy and redaction").
 */
public final class ErasedPayload {
  /** The member of a descriptor that says what is known of erased content. */
  private static final String REDACTED = "redacted";

  /** The members that say what an event is about, and hold nothing that anybody wrote. */
  private static final List<String> KEPT =
      List.of(
          "message_id",
          "copied_from_message_id",
          "role",
          "artifact_id",
          "kind",
          "permission_request_id",
          "grant_id",
          "outcome_id",
          "tool_call_id",
          EventLinks.MEDIATED_BY,
          "step_key",
          "key",
          "commitment",
          "attempt",
          "status",
          "previous_status");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ErasedPayload() {}

  /** Returns an event without its payload; the same event if it has none. */
  public static EventRecord of(EventRecord event, String redactionId) {
    if (event.getPayload().isEmpty()) {
      return event;
    }
    Payload shown = Payload.of();
    if (EventLinks.isOwn(event)) {
      keep(event.getPayload(), shown);
    }
    shown.json(
        REDACTED,
        content(redactionId, event.getPayload().size(), Optional.of(event.getCommitment())));
    return event.toBuilder()
        .clearPayload()
        .clearSalt()
        .clearPublicProjection()
        .setRedactedPayload(shown.json())
        .build();
  }

  /**
   * Returns what stands for free-form JSON that a redaction erased.
   *
   * @param size its size in bytes
   */
  public static ByteString json(String redactionId, int size) {
    return Payload.of().json(REDACTED, content(redactionId, size, Optional.empty())).json();
  }

  /**
   * Returns whether free-form JSON stands for what a redaction erased. Others may write the same,
   * which then stays as it is and holds nothing else.
   */
  public static boolean isErased(ByteString json) {
    JsonNode redacted = read(json).path(REDACTED);
    JsonNode id = redacted.path("redaction_id");
    return id.isTextual() && json(id.textValue(), redacted.path("size").asInt()).equals(json);
  }

  private static ByteString content(String redactionId, int size, Optional<ByteString> commitment) {
    return Payload.of()
        .text("reason", REDACTED)
        .number("size", size)
        .anyText("commitment", commitment.map(Commitment::spell))
        .text("redaction_id", redactionId)
        .json();
  }

  private static void keep(ByteString payload, Payload shown) {
    JsonNode members = read(payload);
    for (String name : KEPT) {
      JsonNode member = members.path(name);
      if (member.isTextual()) {
        shown.text(name, member.textValue());
      } else if (member.isIntegralNumber() && member.canConvertToLong()) {
        shown.number(name, member.longValue());
      }
    }
  }

  static JsonNode read(ByteString payload) {
    try {
      return MAPPER.readTree(payload.newInput());
    } catch (IOException e) {
      return MAPPER.createObjectNode(); // An earlier version stored what can't be read.
    }
  }
}
