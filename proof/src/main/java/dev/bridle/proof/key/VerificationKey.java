package dev.bridle.proof.key;

import java.util.Arrays;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/** The public half of an Ed25519 key, opened once and kept, with its validity. Thread-safe. */
public final class VerificationKey {
  private final Ed25519PublicKeyParameters opened;
  private final String id;
  private final KeyValidity validity;

  private VerificationKey(byte[] publicKey, KeyValidity validity) {
    this.opened = new Ed25519PublicKeyParameters(publicKey);
    this.id = Thumbprint.of(publicKey);
    this.validity = validity;
  }

  /**
   * Opens a public key.
   *
   * @param publicKey 32 bytes (RFC 8032, section 5.1.5)
   * @throws IllegalArgumentException if they are not a point of the curve
   */
  public static VerificationKey of(byte[] publicKey, KeyValidity validity) {
    if (publicKey.length != Ed25519PublicKeyParameters.KEY_SIZE) {
      throw new IllegalArgumentException("An Ed25519 public key has 32 bytes.");
    }
    return new VerificationKey(publicKey, validity);
  }

  /** Returns the key's id: its RFC 7638 thumbprint. */
  public String id() {
    return id;
  }

  /** Returns the 32 bytes of the key. */
  public byte[] publicKey() {
    return opened.getEncoded();
  }

  /** Returns when signatures of the key count. */
  public KeyValidity validity() {
    return validity;
  }

  /** Returns the key with what holds if this and another validity of it are known. */
  public VerificationKey and(VerificationKey other) {
    return new VerificationKey(publicKey(), validity.and(other.validity));
  }

  /** Returns whether the key has made a signature over a message. */
  public boolean verifies(byte[] message, byte[] signature) {
    return signature.length == Ed25519PrivateKeyParameters.SIGNATURE_SIZE
        && opened.verify(Ed25519.Algorithm.Ed25519, null, message, 0, message.length, signature, 0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerificationKey key
        && Arrays.equals(publicKey(), key.publicKey())
        && validity.equals(key.validity);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "VerificationKey[" + id + "]";
  }
}
