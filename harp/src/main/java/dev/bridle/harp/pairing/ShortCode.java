package dev.bridle.harp.pairing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.hash.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The first 80 bits of a transcript's hash as 16 characters of Crockford's base32, which a person
 * compares between both sides where there is no QR code. It is no secret.
 *
 * @param text the 16 characters in upper case, the same however the code was typed
 */
public record ShortCode(String text) {
  /** The number of characters. */
  public static final int LENGTH = 16;

  private static final byte[] PREFIX = "BRIDLE-HARP-SAS-V1\0".getBytes(US_ASCII);
  private static final int BYTES = 10;

  /** Rejects what is not the one spelling of a code. */
  public ShortCode {
    Crockford.requireSpelling(text, LENGTH);
  }

  /** Computes the code of a transcript. */
  public static ShortCode of(PairingTranscript transcript) {
    byte[] hash = Sha256.of(PREFIX, transcript.canonical()).bytes();
    return new ShortCode(Crockford.encode(Arrays.copyOf(hash, BYTES)));
  }

  /**
   * Parses a typed code. Case, hyphens and spaces don't matter; O is read as 0, I and L as 1.
   *
   * @throws HarpException {@code TRANSPORT} if it is no such code
   */
  public static ShortCode parse(String typed) throws HarpException {
    return new ShortCode(Crockford.parse(typed, LENGTH));
  }

  /**
   * Checks that this is the code of a transcript, in constant time.
   *
   * @throws HarpException {@code HASH_MISMATCH} if it is not
   */
  public void verify(PairingTranscript transcript) throws HarpException {
    byte[] own = of(transcript).text.getBytes(US_ASCII);
    if (!MessageDigest.isEqual(own, text.getBytes(US_ASCII))) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH,
          "short_code",
          "The code is not the one of this pairing. If it was typed as the other side shows it,"
              + " somebody is between both sides.");
    }
  }

  /** Returns the code as it is shown to people: four groups of four. */
  public String grouped() {
    return Crockford.group(text);
  }

  @Override
  public String toString() {
    return grouped();
  }
}
