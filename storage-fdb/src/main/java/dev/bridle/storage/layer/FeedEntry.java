package dev.bridle.storage.layer;

/**
 * Where the feed says that an event lies.
 *
 * @param id the event's id
 * @param stream the stream that holds its body
 * @param imported whether it came with an import: history, which live tails do not hand on
 */
public record FeedEntry(EventId id, String stream, boolean imported) {

  /** Creates an entry for an event that this installation appended itself. */
  public FeedEntry(EventId id, String stream) {
    this(id, stream, false);
  }
}
