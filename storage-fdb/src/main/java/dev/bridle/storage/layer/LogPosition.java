package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Versionstamp;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A position in the order of a tenant's log: era, commit stamp and number within the commit; 14
 * bytes that sort in log order. Events and index rows have one.
 */
public final class LogPosition implements Comparable<LogPosition> {
  /** Length of a position, in bytes. */
  public static final int BYTES = 14;

  private static final int NUMBER_OFFSET = 12;

  private final byte[] bytes;

  private LogPosition(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads a position. */
  public static LogPosition fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a position of " + bytes.length + " bytes, expected " + BYTES);
    }
    return new LogPosition(bytes.clone());
  }

  /** Returns the position of an event. */
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

  /** Returns whether this was committed no later than an event. */
  public boolean committedBy(EventId event) {
    return Arrays.compareUnsigned(bytes, 0, NUMBER_OFFSET, event.toBytes(), 0, NUMBER_OFFSET) <= 0;
  }

  /** Returns whether this is at or before an event. */
  public boolean upTo(EventId event) {
    return Arrays.compareUnsigned(bytes, 0, BYTES, event.toBytes(), 0, BYTES) <= 0;
  }

  @Override
  public int compareTo(LogPosition other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogPosition position && Arrays.equals(bytes, position.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Parses the log position of a row from its position in an index. */
  static LogPosition ofPosition(byte[] position) {
    return RecordKeys.parsePosition(position);
  }

  /** Returns the position in an index of the row with this log position. */
  public byte[] position() {
    return RecordKeys.position(this);
  }

  Versionstamp stamp() {
    return Versionstamp.fromBytes(Arrays.copyOfRange(bytes, Short.BYTES, BYTES));
  }

  /** Returns the position's bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }
}
