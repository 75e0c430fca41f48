package dev.bridle.harp.seal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.util.Arrays;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.modes.XChaCha20Poly1305;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KeyParameter;

/** XChaCha20-Poly1305 under a key derived by HKDF-SHA256, with the tag apart. */
final class PayloadCipher {
  static final int SALT_BYTES = 16;
  static final int NONCE_BYTES = 24;
  static final int TAG_BYTES = 16;

  private static final int KEY_BYTES = 32;

  private final KeyParameter key;

  private PayloadCipher(KeyParameter key) {
    this.key = key;
  }

  /**
   * Derives the key.
   *
   * @param common what both sides' X25519 keys have in common
   * @param info what the key is for
   */
  static PayloadCipher derive(byte[] common, byte[] salt, String info) {
    HKDFBytesGenerator generator = new HKDFBytesGenerator(new SHA256Digest());
    generator.init(new HKDFParameters(common, salt, info.getBytes(US_ASCII)));
    byte[] key = new byte[KEY_BYTES];
    generator.generateBytes(key, 0, key.length);
    return ofKey(key);
  }

  static PayloadCipher ofKey(byte[] key) {
    return new PayloadCipher(new KeyParameter(key));
  }

  /** Returns the ciphertext, as long as the plaintext, and the tag behind it. */
  byte[] seal(byte[] plaintext, byte[] nonce, byte[] aad) {
    try {
      return run(true, plaintext, nonce, aad);
    } catch (InvalidCipherTextException e) {
      throw new IllegalStateException("sealing does not fail", e);
    }
  }

  /**
   * Returns the plaintext.
   *
   * @throws HarpException {@code HASH_MISMATCH} if it was not sealed so
   */
  byte[] open(byte[] ciphertext, byte[] tag, byte[] nonce, byte[] aad) throws HarpException {
    byte[] whole = Arrays.copyOf(ciphertext, ciphertext.length + TAG_BYTES);
    System.arraycopy(tag, 0, whole, ciphertext.length, TAG_BYTES);
    try {
      return run(false, whole, nonce, aad);
    } catch (InvalidCipherTextException e) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH,
          "seal",
          "The payload was changed, or is sealed for another key.");
    }
  }

  private byte[] run(boolean seal, byte[] input, byte[] nonce, byte[] aad)
      throws InvalidCipherTextException {
    XChaCha20Poly1305 cipher = new XChaCha20Poly1305();
    cipher.init(seal, new AEADParameters(key, TAG_BYTES * Byte.SIZE, nonce, aad));
    byte[] output = new byte[cipher.getOutputSize(input.length)];
    int written = cipher.processBytes(input, 0, input.length, output, 0);
    written += cipher.doFinal(output, written);
    return Arrays.copyOf(output, written);
  }
}
