package dev.bridle.proof.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.receipt.ReceiptSignature;
import java.time.Instant;

/**
 * That one key of an installation takes the place of another one, which the earlier key signs: who
 * trusts that one learns the next one by it.
 *
 * @param installation the id of the installation, whose keys both are
 * @param oldKeyId the id of the earlier key
 * @param newKey the key that signs from then on
 * @param signedAt when
 */
public record KeySuccession(
    String installation, String oldKeyId, VerificationKey newKey, Instant signedAt) {
  /** The format. */
  public static final String FORMAT = "bridle-key-succession-1";

  /** Returns the statement as it is signed. */
  public ObjectNode toJson() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("format", FORMAT)
            .put("installation", installation)
            .put("old_key_id", oldKeyId)
            .put("signed_at", signedAt.toString());
    json.putObject("new_key")
        .put("crv", ReceiptSignature.ED25519)
        .put("kid", newKey.id())
        .put("kty", "OKP")
        .put("x", Base64Url.encode(newKey.publicKey()));
    return json;
  }

  /**
   * Returns the statement with the signature of the earlier key.
   *
   * @throws IllegalArgumentException if the key is another one
   */
  public ObjectNode signed(SigningKey oldKey) {
    if (!oldKey.id().equals(oldKeyId)) {
      throw new IllegalArgumentException("A succession is signed by the key that is superseded.");
    }
    ObjectNode statement = toJson();
    ObjectNode signed = JsonNodeFactory.instance.objectNode();
    signed.set("statement", statement);
    signed
        .putObject("signature")
        .put("algorithm", ReceiptSignature.ED25519)
        .put("key_id", oldKeyId)
        .put("signature", Base64Url.encode(oldKey.sign(CanonicalJson.bytes(statement))))
        .put("signed_at", signedAt.toString());
    return signed;
  }
}
