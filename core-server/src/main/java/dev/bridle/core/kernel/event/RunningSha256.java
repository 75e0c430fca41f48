package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import org.bouncycastle.crypto.digests.SHA256Digest;

/**
 * A SHA-256 whose state is stored between two pieces, so that the next piece costs the same however
 * many came before. States are as Bouncy Castle encodes them; an empty one is that of no bytes.
 */
public final class RunningSha256 {
  private RunningSha256() {}

  /** Returns the state after more bytes. */
  public static ByteString append(ByteString state, byte[] bytes) {
    SHA256Digest digest = resume(state);
    digest.update(bytes, 0, bytes.length);
    return ByteString.copyFrom(digest.getEncodedState());
  }

  /** Returns the hash of all bytes up to a state. */
  public static byte[] finish(ByteString state) {
    SHA256Digest digest = resume(state);
    byte[] out = new byte[digest.getDigestSize()];
    digest.doFinal(out, 0);
    return out;
  }

  private static SHA256Digest resume(ByteString state) {
    return state.isEmpty() ? new SHA256Digest() : new SHA256Digest(state.toByteArray());
  }
}
