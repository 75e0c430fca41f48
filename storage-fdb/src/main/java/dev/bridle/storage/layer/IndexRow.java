package dev.bridle.storage.layer;

/**
 * A row of an index.
 *
 * @param id the record's id
 * @param position where the row stands, for a page that goes on after it
 */
@SuppressWarnings("ArrayRecordComponent") // A cursor's content, compared by nobody.
public record IndexRow(String id, byte[] position) {
  /** Returns where the row stands in the order of the log. */
  public LogPosition place() {
    return LogPosition.ofPosition(position);
  }
}
