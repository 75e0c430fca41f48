package dev.bridle.proof.receipt;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.SigningKey;

/**
 * Completes receipts with hash and signature. The same receipt and key give the same bytes.
 * Thread-safe.
 */
public final class ReceiptSigner {
  private final SigningKey key;

  /** Signs with a key. */
  public ReceiptSigner(SigningKey key) {
    this.key = key;
  }

  /**
   * Signs a receipt. The signature is over the ASCII text of the hash, prefix included; its {@code
   * signed_at} is the receipt's {@code issued_at}.
   *
   * @param receipt all members but {@code chain.receipt_hash} and {@code signatures}, which are
   *     replaced if they are there. It is not changed, and not checked against the schema: who may
   *     have a fault in it asks {@link dev.bridle.proof.schema.ReceiptSchema} for the result.
   * @throws IllegalArgumentException if the receipt has no canonical form, no {@code chain} with a
   *     {@code previous_receipt_hash}, no {@code issued_at}, or names another key as its issuer's
   */
  public SignedReceipt sign(ObjectNode receipt) {
    String named = receipt.path("issuer").path("public_key_id").asText();
    if (!named.equals(key.id())) {
      throw new IllegalArgumentException(
          "`issuer.public_key_id` is `"
              + named
              + "`. Expected the signing key `"
              + key.id()
              + "`.");
    }
    if (!receipt.path("issued_at").isTextual()) {
      throw new IllegalArgumentException("A receipt has a member `issued_at`.");
    }
    ReceiptContent content = ReceiptContent.of(receipt);
    Sha256 hash = content.hash();
    ArrayNode signatures = JsonNodeFactory.instance.arrayNode();
    signatures
        .addObject()
        .put("algorithm", ReceiptSignature.ED25519)
        .put("key_id", key.id())
        .put("signature", Base64Url.encode(key.sign(hash.toString().getBytes(US_ASCII))))
        .put("signed_at", receipt.get("issued_at").textValue());
    return new SignedReceipt(hash, content.complete(hash, signatures));
  }
}
