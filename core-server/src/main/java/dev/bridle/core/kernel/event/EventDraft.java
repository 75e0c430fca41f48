package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.EventRecord;

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

  /** Returns an event's record with all that does not depend on its resource. */
  public EventRecord.Builder record(Write write) {
    byte[] salt = write.salt(Commitment.SALT_BYTES);
    EventRecord.Builder record =
        EventRecord.newBuilder()
            .setEvent(kind)
            .setCreatedAt(write.nowMillis())
            .setActor(write.actor())
            .setPayload(payload)
            .setSalt(ByteString.copyFrom(salt))
            .setCommitment(Commitment.of(salt, payload));
    write.idempotencyKey().ifPresent(record::setIdempotencyKey);
    return record;
  }
}
