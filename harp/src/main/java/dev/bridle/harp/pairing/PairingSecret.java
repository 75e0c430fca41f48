package dev.bridle.harp.pairing;

import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;

/**
 * The secret that an enforcer shows in its QR code and that the relay never gets. Its {@link
 * #toString} does not show it.
 */
public final class PairingSecret {
  /** The number of bytes. */
  public static final int BYTES = 16;

  private final byte[] bytes;

  private PairingSecret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Creates a random secret. */
  public static PairingSecret create(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new PairingSecret(bytes);
  }

  /**
   * Returns the secret that consists of 16 bytes.
   *
   * @throws IllegalArgumentException if there are more or fewer
   */
  public static PairingSecret ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("A pairing secret has 16 bytes.");
    }
    return new PairingSecret(bytes.clone());
  }

  /** Returns the 16 bytes, for the enforcer that stores them until the pairing ends. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the secret in base64url, as the QR code has it. */
  String text() {
    return Base64Url.encode(bytes);
  }

  @Override
  public String toString() {
    return "PairingSecret[...]";
  }
}
