package dev.bridle.harp.pairing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.SigningKey;
import java.util.Arrays;

/**
 * The proof that a device holds the signing key that it enrols: a signature over the hash of the
 * transcript. What it signs begins with a prefix that no canonical JSON has, so that the signature
 * is none of a decision.
 */
public final class Possession {
  private static final byte[] PREFIX = "BRIDLE-HARP-PAIR-V1\0approver\0".getBytes(US_ASCII);

  private Possession() {}

  /** Returns the 64 bytes of the signature. */
  public static byte[] prove(PairingTranscript transcript, SigningKey key) {
    return key.sign(message(transcript));
  }

  /**
   * Checks a signature by the transcript's own signing key.
   *
   * @throws HarpException {@code SIGNATURE_INVALID} if another key has made it, or for another
   *     transcript
   */
  public static void verify(PairingTranscript transcript, byte[] signature) throws HarpException {
    if (!transcript.signingKey().verifies(message(transcript), signature)) {
      throw new HarpException(
          HarpErrorCode.SIGNATURE_INVALID,
          "possession",
          "The device did not prove that it holds its signing key.");
    }
  }

  private static byte[] message(PairingTranscript transcript) {
    byte[] hash = transcript.hash().bytes();
    byte[] message = Arrays.copyOf(PREFIX, PREFIX.length + hash.length);
    System.arraycopy(hash, 0, message, PREFIX.length, hash.length);
    return message;
  }
}
