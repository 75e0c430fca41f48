package dev.bridle.proof.hash;

/**
 * The hash of a sequence of parts that goes on from its value alone: each value is the SHA-256 of
 * the value before it and the next part. Not thread-safe.
 */
public final class ChainedSha256 {
  private byte[] value = new byte[0];

  /** Begins with no parts. */
  public ChainedSha256() {}

  private ChainedSha256(Sha256 value) {
    this.value = value.bytes();
  }

  /** Goes on after the parts that have a value. */
  public static ChainedSha256 after(Sha256 value) {
    return new ChainedSha256(value);
  }

  /** Adds the next part. */
  public void add(byte[] part) {
    value = Sha256.of(value, part).bytes();
  }

  /** Returns the value of the parts so far, of which there is at least one. */
  public Sha256 soFar() {
    return Sha256.ofBytes(value);
  }
}
