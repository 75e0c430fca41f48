package dev.bridle.storage.layer;

/**
 * Where the feed says that an event lies.
 *
 * @param id the event's id
 * @param stream the stream that holds its body
 */
public record FeedEntry(EventId id, String stream) {}
