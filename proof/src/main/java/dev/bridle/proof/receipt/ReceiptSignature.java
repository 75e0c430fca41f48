package dev.bridle.proof.receipt;

import java.util.Optional;

/**
 * A signature over the text of a receipt's hash.
 *
 * @param keyId the id of the key in the issuer's or witness's key set
 * @param algorithm {@value #ED25519} is the one that is known here
 * @param signature base64url without padding
 * @param signedAt when it was made, as the signer says; RFC 3339
 */
public record ReceiptSignature(
    String keyId, String algorithm, String signature, Optional<String> signedAt) {
  /** The algorithm of receipts. */
  public static final String ED25519 = "Ed25519";
}
