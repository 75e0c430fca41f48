package dev.bridle.storage.layer;

/**
 * An event that retention drops.
 *
 * @param id the event
 * @param stream the stream that it lies in
 * @param task the task that it is of; empty where it is of none
 * @param sequence its number among the events of its resource
 */
public record DroppedEvent(EventId id, String stream, String task, long sequence) {}
