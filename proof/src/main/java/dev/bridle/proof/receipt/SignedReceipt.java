package dev.bridle.proof.receipt;

import dev.bridle.proof.hash.Sha256;

/** A receipt as it is stored and sent: canonical JSON with its hash and signature. Immutable. */
public final class SignedReceipt {
  private final Sha256 hash;
  private final byte[] bytes;

  SignedReceipt(Sha256 hash, byte[] bytes) {
    this.hash = hash;
    this.bytes = bytes;
  }

  /** Returns the receipt's hash, which the next receipt of the chain names. */
  public Sha256 hash() {
    return hash;
  }

  /** Returns a copy of the receipt's bytes: one line of canonical JSON, without a line feed. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return "SignedReceipt[" + hash + "]";
  }
}
