package dev.bridle.storage.layer;

/**
 * A row of an index.
 *
 * @param id the record's id
 * @param position the row's position, for a page that continues after it
 */
@SuppressWarnings("ArrayRecordComponent") // A cursor's content, compared by nobody.
public record IndexRow(String id, byte[] position) {
  /** Returns the row's position in the order of the log. */
  public LogPosition place() {
    return LogPosition.ofPosition(position);
  }
}
