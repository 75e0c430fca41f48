package dev.bridle.harp.core;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The reason that a person gives for a decision; an extension of this software. A decision has only
 * its commitment, the SHA-256 of a label, a salt and the text: so the reason is signed, and can
 * still be erased where the decision has to be kept. Reason and salt travel beside the decision.
 *
 * @param text what the person says, 1 to {@value #MAX_CHARS} characters where it is signed
 * @param salt what keeps the text from being guessed, 32 bytes; empty for a reason that is not
 *     signed
 */
public record GivenReason(String text, Optional<Salt> salt) {
  /** The most characters of a reason that is signed. */
  public static final int MAX_CHARS = 4096;

  private static final byte[] LABEL = "BRIDLE-HARP-REASON-V1\0".getBytes(StandardCharsets.US_ASCII);

  /**
   * A salt.
   *
   * @param encoded its bytes in base64url
   */
  public record Salt(String encoded) {
    private static final int BYTES = 32;

    /** Reads a salt; empty if it is none. */
    public static Optional<Salt> of(String encoded) {
      return Base64Url.decode(encoded)
          .filter(bytes -> bytes.length == BYTES)
          .map(bytes -> new Salt(encoded));
    }

    /** Returns a salt of random bytes. */
    public static Salt random(SecureRandom random) {
      byte[] bytes = new byte[BYTES];
      random.nextBytes(bytes);
      return new Salt(Base64Url.encode(bytes));
    }

    private byte[] bytes() {
      return Base64Url.decode(encoded).orElseThrow();
    }
  }

  /** Returns a reason that is not signed. */
  public static GivenReason unsigned(String text) {
    return new GivenReason(text, Optional.empty());
  }

  /** Returns a reason to sign. */
  public static GivenReason salted(String text, Salt salt) {
    return new GivenReason(text, Optional.of(salt));
  }

  /** Returns what a decision has of it, in base64url; empty if it has no salt. */
  public Optional<String> commitment() {
    return salt.map(
        known ->
            Base64Url.encode(
                Sha256.of(LABEL, known.bytes(), text.getBytes(StandardCharsets.UTF_8)).bytes()));
  }

  /**
   * Checks that a decision was signed with exactly the reason that came beside it.
   *
   * @throws HarpException {@code HASH_MISMATCH} if it was signed with another one, or with one that
   *     did not come; {@code TRANSPORT} if the reason is too long
   */
  public static void check(Decision decision, Optional<GivenReason> given) throws HarpException {
    Optional<String> signed = decision.reasonCommitment();
    if (!signed.equals(given.flatMap(GivenReason::commitment))) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH,
          "reason",
          signed.isEmpty()
              ? "The decision is signed without a reason, and one with a salt came."
              : "The decision is signed with another reason, or its reason did not come.");
    }
    if (signed.isPresent() && !isInBounds(given.orElseThrow().text())) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT,
          "reason",
          "A signed reason has 1 to " + MAX_CHARS + " characters.");
    }
  }

  private static boolean isInBounds(String text) {
    return !text.isEmpty() && text.length() <= MAX_CHARS;
  }

  /** Omits the text. */
  @Override
  public String toString() {
    return "GivenReason[" + (salt.isPresent() ? "signed" : "not signed") + "]";
  }
}
