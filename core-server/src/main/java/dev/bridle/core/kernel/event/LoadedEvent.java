package dev.bridle.core.kernel.event;

import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.EventId;

/**
 * An event that has been read.
 *
 * @param id its id
 * @param stream the stream that it belongs to
 * @param record its record
 * @param event the public resource
 */
public record LoadedEvent(EventId id, String stream, EventRecord record, Event event) {
  /** Returns about how much memory the event takes, in bytes. */
  public int bytes() {
    return record.getSerializedSize();
  }
}
