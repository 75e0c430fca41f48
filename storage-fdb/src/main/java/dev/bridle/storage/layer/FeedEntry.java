package dev.bridle.storage.layer;

/**
 * An entry of the feed: an event and its stream.
 *
 * @param id the event's id
 * @param stream the stream that holds its body
 * @param imported whether it was imported; live tails skip imported events
 */
public record FeedEntry(EventId id, String stream, boolean imported) {

  /** Creates an entry for an event that this installation appended itself. */
  public FeedEntry(EventId id, String stream) {
    this(id, stream, false);
  }
}
