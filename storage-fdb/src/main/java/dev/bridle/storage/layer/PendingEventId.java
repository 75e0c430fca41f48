package dev.bridle.storage.layer;

/**
 * An event id that lacks its commit stamp.
 *
 * @param era the tenant's era
 * @param number the number within the transaction
 * @param partition the event's partition
 */
public record PendingEventId(int era, int number, int partition) {

  /** Returns the id, given the 10-byte stamp of the commit. */
  public EventId complete(byte[] stamp) {
    return EventId.of(era, stamp, number, partition);
  }
}
