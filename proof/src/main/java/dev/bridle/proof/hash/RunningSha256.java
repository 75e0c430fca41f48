package dev.bridle.proof.hash;

import java.security.MessageDigest;

/** The SHA-256 hash of bytes that come in pieces. Not thread-safe. */
public final class RunningSha256 {
  private final MessageDigest digest = Sha256.digest();

  /** Begins with no bytes. */
  public RunningSha256() {}

  /** Adds bytes. */
  public void add(byte[] bytes) {
    digest.update(bytes);
  }

  /** Adds a part of some bytes. */
  public void add(byte[] bytes, int from, int length) {
    digest.update(bytes, from, length);
  }

  /** Adds bytes as a line: with a line feed. */
  public void addLine(byte[] bytes) {
    digest.update(bytes);
    digest.update((byte) '\n');
  }

  /** Returns the hash of what was added so far. */
  public Sha256 soFar() {
    try {
      return Sha256.ofBytes(((MessageDigest) digest.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the digests of the JDK can be copied", e);
    }
  }
}
