package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Versionstamp;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The id of an event: era, commit stamp, number within the commit, partition; 15 bytes, written as
 * {@code event_} and 24 characters of Crockford base32. Ids of one tenant sort in the order of its
 * log, as values and as strings.
 */
public final class EventId implements Comparable<EventId> {
  /** Bytes of an id. */
  public static final int BYTES = 15;

  private static final String PREFIX = "event_";
  private static final int STAMP_OFFSET = 2;
  private static final int NUMBER_OFFSET = 12;

  private final byte[] bytes;

  private EventId(byte[] bytes) {
    this.bytes = bytes;
  }

  static EventId of(int era, byte[] stamp, int number, int partition) {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    buffer.putShort((short) era).put(stamp).putShort((short) number).put((byte) partition);
    return new EventId(buffer.array());
  }

  static EventId of(int era, Versionstamp stamp, int partition) {
    return of(
        era, Arrays.copyOf(stamp.getBytes(), Stamps.BYTES), stamp.getUserVersion(), partition);
  }

  /** Returns the id of the event at a position of the log, in a partition. */
  public static EventId at(LogPosition place, int partition) {
    return of(place.era(), place.stamp(), partition);
  }

  /**
   * Returns an id that sorts after every event of a commit version and before those of the next.
   */
  public static EventId lastOf(int era, long commitVersion) {
    byte[] stamp =
        ByteBuffer.allocate(Stamps.BYTES).putLong(commitVersion).putShort((short) -1).array();
    return of(era, stamp, 0xffff, 0xff);
  }

  /** Returns an id that sorts after this event's and before any other event's. */
  public EventId justAfter() {
    byte[] after = bytes.clone();
    after[BYTES - 1] = (byte) 0xff; // No partition has that number.
    return new EventId(after);
  }

  /** Returns the id that sorts right before this one: a cursor from which this one comes first. */
  public EventId justBefore() {
    byte[] before = bytes.clone();
    before[BYTES - 1] = (byte) 0xff; // The partition follows from the stream and is in no key.
    int at = BYTES - 2;
    while (at >= 0 && before[at] == 0) {
      before[at--] = (byte) 0xff;
    }
    if (at < 0) {
      return this; // Nothing sorts before the very first id.
    }
    before[at]--;
    return new EventId(before);
  }

  /** Reads an id of {@link #BYTES} bytes. */
  public static EventId fromBytes(byte[] bytes) {
    return new EventId(bytes.clone());
  }

  /** Parses an id; empty if it is invalid. */
  public static Optional<EventId> parse(String text) {
    if (!text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    return Base32.decode(text.substring(PREFIX.length()), BYTES).map(EventId::new);
  }

  /** Returns the era. */
  public int era() {
    return Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(0));
  }

  /** Returns the 10-byte stamp of the commit that stored the event. */
  public byte[] commitStamp() {
    return Arrays.copyOfRange(bytes, STAMP_OFFSET, NUMBER_OFFSET);
  }

  /** Returns the commit version that the id's stamp begins with. */
  public long commitVersion() {
    return ByteBuffer.wrap(bytes).getLong(STAMP_OFFSET);
  }

  int partition() {
    return Byte.toUnsignedInt(bytes[BYTES - 1]);
  }

  Versionstamp stamp() {
    return Versionstamp.complete(
        commitStamp(), Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(NUMBER_OFFSET)));
  }

  byte[] toBytes() {
    return bytes.clone();
  }

  @Override
  public int compareTo(EventId other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EventId id && Arrays.equals(bytes, id.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return PREFIX + Base32.encode(bytes);
  }
}
