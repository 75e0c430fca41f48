package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Versionstamp;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A place in the order of a tenant's log: era, commit stamp and number within the commit; 14 bytes
 * that sort as the log does. Events stand at one, and so do the rows of indexes.
 */
public final class LogPosition implements Comparable<LogPosition> {
  /** Bytes of a place. */
  public static final int BYTES = 14;

  private static final int NUMBER_OFFSET = 12;

  private final byte[] bytes;

  private LogPosition(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads a place. */
  public static LogPosition fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a place of " + bytes.length + " bytes, expected " + BYTES);
    }
    return new LogPosition(bytes.clone());
  }

  /** Returns the place of an event. */
  public static LogPosition of(EventId event) {
    return of(event.era(), event.stamp());
  }

  static LogPosition of(int era, Versionstamp stamp) {
    return new LogPosition(
        ByteBuffer.allocate(BYTES).putShort((short) era).put(stamp.getBytes()).array());
  }

  /** Returns the era. */
  public int era() {
    return Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort());
  }

  /** Returns whether the commit that made this is not after the one that made an event. */
  public boolean committedBy(EventId event) {
    return Arrays.compareUnsigned(bytes, 0, NUMBER_OFFSET, event.toBytes(), 0, NUMBER_OFFSET) <= 0;
  }

  /** Returns whether this stands where an event does, or before it. */
  public boolean upTo(EventId event) {
    return Arrays.compareUnsigned(bytes, 0, BYTES, event.toBytes(), 0, BYTES) <= 0;
  }

  @Override
  public int compareTo(LogPosition other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogPosition place && Arrays.equals(bytes, place.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Reads the place of a row from its position in an index. */
  static LogPosition ofPosition(byte[] position) {
    return RecordKeys.parsePosition(position);
  }

  /** Returns the position of the row that stands here in an index. */
  public byte[] position() {
    return RecordKeys.position(this);
  }

  Versionstamp stamp() {
    return Versionstamp.fromBytes(Arrays.copyOfRange(bytes, Short.BYTES, BYTES));
  }

  /** Returns the place's bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }
}
