package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Versionstamp;
import java.util.Arrays;
import java.util.HexFormat;

/** The versionstamp of a row: 10 bytes of the commit and 2 of the row's number in it. */
public final class CommitStamp {
  private final byte[] bytes;

  CommitStamp(byte[] bytes) {
    this.bytes = bytes;
  }

  static CommitStamp of(Versionstamp stamp) {
    return new CommitStamp(stamp.getBytes());
  }

  Versionstamp toVersionstamp() {
    return Versionstamp.fromBytes(bytes);
  }

  /** Returns the 10 bytes that all rows of one commit share. */
  public byte[] commit() {
    return Arrays.copyOf(bytes, Stamps.BYTES);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CommitStamp stamp && Arrays.equals(bytes, stamp.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
