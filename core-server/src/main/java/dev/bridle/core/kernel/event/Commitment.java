package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.SHA256Digest;

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
    SHA256Digest digest = new SHA256Digest();
    digest.update(salt, 0, salt.length);
    digest.update((byte) 0);
    byte[] bytes = payload.toByteArray();
    digest.update(bytes, 0, bytes.length);
    byte[] out = new byte[digest.getDigestSize()];
    digest.doFinal(out, 0);
    return ByteString.copyFrom(out);
  }

  /** Returns a commitment as events and receipts spell it. */
  public static String spell(ByteString commitment) {
    return "sha256:" + HexFormat.of().formatHex(commitment.toByteArray());
  }
}
