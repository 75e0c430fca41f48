package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ResourcePointer;
import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.StoredEvent;
import java.util.Optional;

/** Converts stored events to the public resource. */
final class EventRecords {
  private static final ByteString NOTHING = ByteString.copyFromUtf8("{}");

  private EventRecords() {}

  static EventRecord parse(StoredEvent stored) {
    try {
      return EventRecord.parseFrom(stored.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored event is damaged", e);
    }
  }

  static Event toEvent(EventId id, EventRecord record, Optional<EventId> previous) {
    Timestamp at = Timestamps.fromMillis(record.getCreatedAt());
    Event.Builder event =
        Event.newBuilder()
            .setId(id.toString())
            .setCreatedAt(at)
            .setUpdatedAt(at)
            .setEvent(record.getEvent())
            .setResource(
                ResourcePointer.newBuilder()
                    .setObject(record.getResourceObject())
                    .setId(record.getResourceId()))
            .setSequence(record.getSequence())
            .setPayload(payload(record))
            .setActor(record.getActor());
    if (!record.getWorkspaceId().isEmpty()) {
      event.setWorkspaceId(record.getWorkspaceId());
    }
    if (!record.getSessionId().isEmpty()) {
      event.setSessionId(record.getSessionId());
    }
    if (!record.getTaskId().isEmpty()) {
      event.setTaskId(record.getTaskId());
    }
    if (!record.getTraceId().isEmpty()) {
      event.setTraceId(record.getTraceId());
    }
    if (!record.getSpanId().isEmpty()) {
      event.setSpanId(record.getSpanId());
    }
    if (!record.getIdempotencyKey().isEmpty()) {
      event.setIdempotencyKey(record.getIdempotencyKey());
    }
    if (!record.getReceiptId().isEmpty()) {
      event.setReceiptId(record.getReceiptId());
    }
    if (record.hasReplay()) {
      event
          .setReplayed(true)
          .setReplay(record.getReplay().toBuilder().setReplayCursor(id.toString()));
    }
    previous.ifPresent(before -> event.setPreviousEventId(before.toString()));
    return event.build();
  }

  private static ByteString payload(EventRecord record) {
    if (!record.getPayload().isEmpty()) {
      return EarlierPayloads.shown(record);
    }
    return record.getRedactedPayload().isEmpty() ? NOTHING : record.getRedactedPayload();
  }
}
