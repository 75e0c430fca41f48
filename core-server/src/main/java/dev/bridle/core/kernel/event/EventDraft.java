package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.event.v1.ReplayEventMetadata;
import dev.bridle.record.v1.EventRecord;
import java.util.Optional;

/**
 * An event before it is appended.
 *
 * @param kind the event's kind
 * @param payload the payload, as a JSON object
 * @param cause the actor that caused it; empty: the one of the command, with its idempotency key
 * @param leavesOut whether the payload leaves out content that is not public
 * @param replay what it replays; empty if it is no event of a replay
 */
public record EventDraft(
    String kind,
    ByteString payload,
    Optional<String> cause,
    boolean leavesOut,
    Optional<ReplayEventMetadata> replay) {

  /** Creates a draft of an event that the actor of the command causes. */
  public EventDraft(String kind, ByteString payload) {
    this(kind, payload, Optional.empty(), false, Optional.empty());
  }

  /** Creates a draft with a payload. */
  public static EventDraft of(String kind, Payload payload) {
    return new EventDraft(
        kind, payload.json(), Optional.empty(), payload.leavesOut(), Optional.empty());
  }

  /** Returns this draft as caused by another actor than that of the command. */
  public EventDraft by(String actor) {
    return new EventDraft(kind, payload, Optional.of(actor), leavesOut, replay);
  }

  /** Returns this draft as one of an event of a replay. */
  public EventDraft replaying(ReplayEventMetadata what) {
    return new EventDraft(kind, payload, cause, leavesOut, Optional.of(what));
  }

  /** Returns the event's record with all fields that don't depend on its resource. */
  public EventRecord.Builder record(Write write) {
    byte[] salt = write.salt(Commitment.SALT_BYTES);
    EventRecord.Builder record =
        EventRecord.newBuilder()
            .setEvent(kind)
            .setCreatedAt(write.nowMillis())
            .setActor(cause.orElse(write.actor()))
            .setPayload(payload)
            .setPublicProjection(leavesOut)
            .setSalt(ByteString.copyFrom(salt))
            .setCommitment(Commitment.of(salt, payload));
    replay.ifPresent(record::setReplay);
    write.idempotencyKey().filter(key -> cause.isEmpty()).ifPresent(record::setIdempotencyKey);
    return record;
  }
}
