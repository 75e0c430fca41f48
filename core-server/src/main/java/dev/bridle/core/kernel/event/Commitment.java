package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import dev.bridle.proof.hash.Sha256;
import java.util.HexFormat;

/**
 * A salted hash of a payload: SHA-256 of salt, a zero byte and the payload's bytes as stored. It
 * proves the payload while it is stored, and reveals nothing about it once payload and salt are
 * erased.
 */
public final class Commitment {
  /** Length of a salt, in bytes. */
  public static final int SALT_BYTES = 16;

  private static final byte[] SEPARATOR = {0};

  private Commitment() {}

  /** Returns the commitment to a payload. */
  public static ByteString of(byte[] salt, ByteString payload) {
    return ByteString.copyFrom(Sha256.of(salt, SEPARATOR, payload.toByteArray()).bytes());
  }

  /** Returns a commitment as events and receipts spell it. */
  public static String spell(ByteString commitment) {
    return "sha256:" + HexFormat.of().formatHex(commitment.toByteArray());
  }
}
