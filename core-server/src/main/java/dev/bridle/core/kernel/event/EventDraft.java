package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;

/**
 * A fact that is about to become an event.
 *
 * @param kind the event's kind
 * @param payload the facts, as a JSON object
 */
public record EventDraft(String kind, ByteString payload) {

  /** Makes a draft from a payload under way. */
  public static EventDraft of(String kind, Payload payload) {
    return new EventDraft(kind, payload.json());
  }
}
