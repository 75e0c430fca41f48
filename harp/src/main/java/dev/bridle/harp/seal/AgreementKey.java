package dev.bridle.harp.seal;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import org.bouncycastle.crypto.agreement.X25519Agreement;
import org.bouncycastle.crypto.params.X25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.X25519PublicKeyParameters;

/** An X25519 key pair, for which payloads are sealed. Its text does not contain the secret half. */
public final class AgreementKey {
  /** The bytes of each half. */
  public static final int BYTES = 32;

  private final X25519PrivateKeyParameters secret;

  private AgreementKey(X25519PrivateKeyParameters secret) {
    this.secret = secret;
  }

  /** Makes a key. */
  public static AgreementKey create(SecureRandom random) {
    return new AgreementKey(new X25519PrivateKeyParameters(random));
  }

  /**
   * Opens the key of its secret half.
   *
   * @throws IllegalArgumentException if it has not 32 bytes
   */
  public static AgreementKey ofSecret(byte[] secret) {
    if (secret.length != BYTES) {
      throw new IllegalArgumentException("A secret X25519 key has 32 bytes.");
    }
    return new AgreementKey(new X25519PrivateKeyParameters(secret));
  }

  /** Returns the secret half, for whoever stores it. */
  public byte[] secret() {
    return secret.getEncoded();
  }

  /** Returns the public half. */
  public byte[] publicKey() {
    return secret.generatePublicKey().getEncoded();
  }

  /**
   * Checks that payloads can be sealed for a public key. A key of small order has the same zero
   * secret in common with every key, so any key shows it.
   *
   * @throws HarpException {@code UNSUPPORTED} if they can't
   */
  public static void checkPublicKey(byte[] publicKey) throws HarpException {
    ofSecret(new byte[BYTES]).agree(publicKey);
  }

  /**
   * Returns what this key and another one have in common.
   *
   * @throws HarpException {@code UNSUPPORTED} if the other is no key that may be used
   */
  byte[] agree(byte[] other) throws HarpException {
    X25519Agreement agreement = new X25519Agreement();
    agreement.init(secret);
    byte[] common = new byte[agreement.getAgreementSize()];
    try {
      agreement.calculateAgreement(new X25519PublicKeyParameters(other), common, 0);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED, "key", "The other side's X25519 key can't be used.");
    }
    return common;
  }

  @Override
  public String toString() {
    return "AgreementKey[" + Base64Url.encode(publicKey()) + "]";
  }
}
