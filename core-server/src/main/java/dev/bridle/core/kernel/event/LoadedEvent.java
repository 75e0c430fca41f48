package dev.bridle.core.kernel.event;

import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.EventId;

/**
 * An event that has been read.
 *
 * @param id its id
 * @param stream the stream that it belongs to
 * @param record its record
 * @param bytes about how much memory it takes
 * @param frame the frame of a live stream, which all its readers share
 */
public record LoadedEvent(
    EventId id, String stream, EventRecord record, int bytes, EventFrame frame) {
  /** Creates an event with the frame that holds it. */
  public static LoadedEvent of(EventId id, String stream, EventRecord record, Event event) {
    EventFrame frame = EventFrame.newBuilder().setEvent(event).build();
    return new LoadedEvent(id, stream, record, record.getSerializedSize(), frame);
  }

  /** Returns the public resource. */
  public Event event() {
    return frame.getEvent();
  }
}
