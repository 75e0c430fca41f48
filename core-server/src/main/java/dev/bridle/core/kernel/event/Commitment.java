package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A salted hash of a payload: SHA-256 of salt, a zero byte and the payload's bytes as stored. It
 * proves the payload while it is stored, and reveals nothing about it once payload and salt are
 * erased.
 */
public final class Commitment {
  /** Length of a salt, in bytes. */
  public static final int SALT_BYTES = 16;

  private Commitment() {}

  /** Returns the commitment to a payload. */
  public static ByteString of(byte[] salt, ByteString payload) {
    byte[] salted = new byte[salt.length + 1 + payload.size()];
    System.arraycopy(salt, 0, salted, 0, salt.length);
    payload.copyTo(salted, salt.length + 1);
    try {
      // Java's own, which processors compute: four times as fast as code does.
      return ByteString.copyFrom(MessageDigest.getInstance("SHA-256").digest(salted));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns a commitment as events and receipts spell it. */
  public static String spell(ByteString commitment) {
    return "sha256:" + HexFormat.of().formatHex(commitment.toByteArray());
  }
}
