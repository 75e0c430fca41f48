package dev.bridle.storage.layer;

/**
 * An event as stored in the log.
 *
 * @param id its id
 * @param stream the stream that it belongs to
 * @param body its record
 */
@SuppressWarnings("ArrayRecordComponent") // Parsed by its reader and compared by nobody.
public record StoredEvent(EventId id, String stream, byte[] body) {}
