package dev.bridle.core.kernel.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.record.v1.EventRecord;
import java.util.Set;

/**
 * What an event of the core is about, from the members of its payload, or of what stands for an
 * erased one. Empty texts where it names nothing.
 *
 * @param kind its kind
 * @param message the message
 * @param artifact the artifact
 * @param permission the permission request
 * @param stepKey the key of the handler's step
 */
public record EventLinks(
    String kind, String message, String artifact, String permission, String stepKey) {
  static final String MEDIATED_BY = "mediated_by";

  private static final Set<String> REPORTED_TOO =
      Set.of(EventKinds.TOOL_REQUESTED, EventKinds.TOOL_COMPLETED, EventKinds.TOOL_FAILED);

  private static final Set<String> REPORTED =
      Set.of(
          EventKinds.USAGE_RECORDED,
          EventKinds.MODEL_CALLED,
          EventKinds.FILE_WRITTEN,
          EventKinds.COMMAND_RUN,
          EventKinds.NETWORK_EGRESS,
          EventKinds.HANDED_OFF,
          EventKinds.TOOL_CALLED);

  private static final Set<String> WITH_MESSAGE =
      Set.of(
          EventKinds.USER_MESSAGE,
          EventKinds.AGENT_MESSAGE,
          EventKinds.SESSION_MESSAGE_APPENDED,
          EventKinds.USER_INPUT_SUBMITTED);

  /** Returns the links of an event; none if a worker has reported its payload. */
  public static EventLinks of(EventRecord event) {
    ByteString payload =
        event.getPayload().isEmpty() ? event.getRedactedPayload() : event.getPayload();
    if (payload.isEmpty() || !isOwn(event)) {
      return new EventLinks(event.getEvent(), "", "", "", "");
    }
    JsonNode members = ErasedPayload.read(payload);
    return new EventLinks(
        event.getEvent(),
        members.path("message_id").asText(),
        members.path("artifact_id").asText(),
        members.path("permission_request_id").asText(),
        members.path("step_key").asText());
  }

  /** Returns whether the event has the content of the message that it names. */
  public boolean holdsMessage() {
    return WITH_MESSAGE.contains(kind) && !message.isEmpty();
  }

  /**
   * Returns whether the core has written an event's payload. Workers report others, with whatever
   * members.
   */
  static boolean isOwn(EventRecord event) {
    String kind = event.getEvent();
    if (REPORTED_TOO.contains(kind)) {
      // The member can't be reported.
      ByteString payload =
          event.getPayload().isEmpty() ? event.getRedactedPayload() : event.getPayload();
      return ErasedPayload.read(payload).has(MEDIATED_BY);
    }
    boolean reported =
        REPORTED.contains(kind)
            || (kind.startsWith("agent.") && !kind.equals(EventKinds.AGENT_MESSAGE))
            || kind.startsWith("span.")
            || (kind.startsWith("vendor.") && !kind.startsWith("vendor.bridle."));
    return !reported;
  }
}
