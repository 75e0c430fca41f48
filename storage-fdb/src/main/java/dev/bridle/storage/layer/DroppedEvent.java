package dev.bridle.storage.layer;

/**
 * An event that retention drops.
 *
 * @param id the event
 * @param stream the stream that it belongs to
 * @param task its task; empty if it has none
 * @param sequence its number among the events of its resource
 */
public record DroppedEvent(EventId id, String stream, String task, long sequence) {}
