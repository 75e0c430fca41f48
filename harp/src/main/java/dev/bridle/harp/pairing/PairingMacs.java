package dev.bridle.harp.pairing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.security.MessageDigest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KeyParameter;

/**
 * The macs by which both sides of a pairing show that they know the secret of the QR code and have
 * the same transcript. Each side has a key of its own (HKDF-SHA256 with the pairing's nonce as the
 * salt), so that neither mac can be sent back as the other. Immutable.
 */
public final class PairingMacs {
  private static final byte[] INFO = "BRIDLE-HARP-PAIR-V1".getBytes(US_ASCII);
  private static final byte[] APPROVER = "approver\0".getBytes(US_ASCII);
  private static final byte[] ENFORCER = "enforcer\0".getBytes(US_ASCII);
  private static final int KEY_BYTES = 32;

  private final byte[] approver;
  private final byte[] enforcer;

  private PairingMacs(byte[] approver, byte[] enforcer) {
    this.approver = approver;
    this.enforcer = enforcer;
  }

  /** Computes the macs of a transcript. */
  public static PairingMacs of(PairingSecret secret, PairingTranscript transcript) {
    HKDFBytesGenerator generator = new HKDFBytesGenerator(new SHA256Digest());
    generator.init(new HKDFParameters(secret.bytes(), transcript.nonce(), INFO));
    byte[] keys = new byte[2 * KEY_BYTES];
    generator.generateBytes(keys, 0, keys.length);
    byte[] hash = transcript.hash().bytes();
    return new PairingMacs(
        mac(new KeyParameter(keys, 0, KEY_BYTES), APPROVER, hash),
        mac(new KeyParameter(keys, KEY_BYTES, KEY_BYTES), ENFORCER, hash));
  }

  private static byte[] mac(KeyParameter key, byte[] side, byte[] hash) {
    HMac mac = new HMac(new SHA256Digest());
    mac.init(key);
    mac.update(side, 0, side.length);
    mac.update(hash, 0, hash.length);
    byte[] result = new byte[mac.getMacSize()];
    mac.doFinal(result, 0);
    return result;
  }

  /** Returns the 32 bytes that the approver sends. */
  public byte[] approver() {
    return approver.clone();
  }

  /** Returns the 32 bytes that the enforcer answers. */
  public byte[] enforcer() {
    return enforcer.clone();
  }

  /**
   * Checks the approver's mac, in constant time.
   *
   * @throws HarpException {@code HASH_MISMATCH} if the approver has another secret or transcript
   */
  public void verifyApprover(byte[] received) throws HarpException {
    verify(approver, received);
  }

  /**
   * Checks the enforcer's answer, in constant time.
   *
   * @throws HarpException {@code HASH_MISMATCH} if the enforcer has another secret or transcript
   */
  public void verifyEnforcer(byte[] received) throws HarpException {
    verify(enforcer, received);
  }

  // HASH_MISMATCH, as for a payload whose tag doesn't fit: both sides can make a mac, so it is no
  // signature.
  private static void verify(byte[] own, byte[] received) throws HarpException {
    if (!MessageDigest.isEqual(own, received)) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH,
          "mac",
          "The other side has another secret or was sent other values. Start the pairing again.");
    }
  }
}
