package dev.bridle.proof.key;

import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * An Ed25519 key pair that signs. It is expensive to open and cheap to use, so callers keep it.
 * Thread-safe. Its text does not contain the private half.
 */
public final class SigningKey {
  private final Ed25519PrivateKeyParameters secret;
  private final byte[] publicKey;
  private final String id;

  private SigningKey(byte[] seed) {
    this.secret = new Ed25519PrivateKeyParameters(seed);
    this.publicKey = secret.generatePublicKey().getEncoded();
    this.id = Thumbprint.of(publicKey);
  }

  /**
   * Opens the key of a seed.
   *
   * @param seed 32 secret bytes (RFC 8032, section 5.1.5), which the caller may erase afterwards
   * @throws IllegalArgumentException if the seed has another length
   */
  public static SigningKey ofSeed(byte[] seed) {
    if (seed.length != Ed25519PrivateKeyParameters.KEY_SIZE) {
      throw new IllegalArgumentException("A seed of an Ed25519 key has 32 bytes.");
    }
    return new SigningKey(seed);
  }

  /** Returns the key's id: its RFC 7638 thumbprint, SHA-256 in base64url without padding. */
  public String id() {
    return id;
  }

  /** Returns the public half, which is valid as given. */
  public VerificationKey verificationKey(KeyValidity validity) {
    return VerificationKey.of(publicKey, validity);
  }

  /** Returns the 64 bytes of the signature over a message. */
  public byte[] sign(byte[] message) {
    byte[] signature = new byte[Ed25519PrivateKeyParameters.SIGNATURE_SIZE];
    secret.sign(Ed25519.Algorithm.Ed25519, null, message, 0, message.length, signature, 0);
    return signature;
  }

  @Override
  public String toString() {
    return "SigningKey[" + id + "]";
  }
}
