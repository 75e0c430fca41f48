package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.EventRecord;

/**
 * An event before it is appended.
 *
 * @param kind the event's kind
 * @param payload the payload, as a JSON object
 */
public record EventDraft(String kind, ByteString payload) {

  /** Creates a draft with a payload. */
  public static EventDraft of(String kind, Payload payload) {
    return new EventDraft(kind, payload.json());
  }

  /** Returns the event's record with all fields that don't depend on its resource. */
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
