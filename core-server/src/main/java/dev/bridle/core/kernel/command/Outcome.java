package dev.bridle.core.kernel.command;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.bridle.storage.layer.PendingEventId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A response whose last event id is complete only with the commit's versionstamp. */
record Outcome<R>(R response, Optional<PendingEventId> lastEvent, CompletableFuture<byte[]> stamp) {
  private static final String LAST_EVENT_ID = "last_event_id";

  @SuppressWarnings("unchecked") // A builder makes its own type.
  R complete() {
    if (lastEvent.isEmpty() || !(response instanceof Message message)) {
      return response;
    }
    String id = lastEvent.get().complete(stamp.join()).toString();
    return (R) withLastEvent(message, id);
  }

  /** Sets {@code last_event_id} of the response, or of the resource that it contains. */
  private static Message withLastEvent(Message message, String id) {
    FieldDescriptor own = message.getDescriptorForType().findFieldByName(LAST_EVENT_ID);
    if (own != null) {
      return message.toBuilder().setField(own, id).build();
    }
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (!field.isRepeated()
          && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
          && field.getMessageType().findFieldByName(LAST_EVENT_ID) != null
          && message.hasField(field)) {
        Message held = withLastEvent((Message) message.getField(field), id);
        return message.toBuilder().setField(field, held).build();
      }
    }
    return message;
  }
}
