package dev.bridle.proof.sample;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.receipt.ReceiptSigner;
import java.time.Instant;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A receipt that is linked to its chain and not yet signed, in the hands of whoever breaks it.
 *
 * @param receipt without hash and signature
 * @param random what chooses
 */
public record Draft(ObjectNode receipt, Random random) {
  /** Returns it signed by the current key. */
  public String signed() {
    return signed(SampleKeys.CURRENT);
  }

  /** Returns it as issued and signed by a key. */
  public String signed(SigningKey key) {
    receipt.withObjectProperty("issuer").put("public_key_id", key.id());
    return new String(new ReceiptSigner(key).sign(receipt).bytes(), UTF_8);
  }

  /** Returns it changed before it is signed. */
  public String signedAfter(Consumer<ObjectNode> change) {
    change.accept(receipt);
    return signed();
  }

  /** Returns it changed after it was signed. */
  public String changed(Consumer<ObjectNode> change) {
    ObjectNode changed = (ObjectNode) StrictJson.parse(signed().getBytes(UTF_8));
    change.accept(changed);
    return text(changed);
  }

  /** Returns it with a change in its first signature. */
  public String resigned(Consumer<ObjectNode> change) {
    return changed(one -> change.accept((ObjectNode) one.get("signatures").get(0)));
  }

  /** Returns it signed by the witness, too, at a time that depends on when it was issued. */
  public String witnessed(UnaryOperator<Instant> time) {
    return changed(
        one -> {
          byte[] hash = one.at("/chain/receipt_hash").textValue().getBytes(US_ASCII);
          Instant issued = Instant.parse(one.get("issued_at").textValue());
          one.withArray("signatures")
              .addObject()
              .put("algorithm", "Ed25519")
              .put("key_id", SampleKeys.WITNESS.id())
              .put("signature", Base64Url.encode(SampleKeys.WITNESS.sign(hash)))
              .put("signed_at", time.apply(issued).toString());
        });
  }

  /** Returns it without any signature, and of no key. */
  public String unsigned() {
    return changed(
        one -> {
          one.remove("signatures");
          one.withObject("/issuer").remove("public_key_id");
          one.withObject("/chain").put("receipt_hash", hashOf(one));
        });
  }

  /** Returns it with a raw text as the value of a member of its metadata. */
  public String withRaw(String value) {
    receipt.withObjectProperty("metadata").put("mark", "@@");
    return signed().replace("\"@@\"", value);
  }

  static String text(JsonNode json) {
    return new String(CanonicalJson.bytes(json), UTF_8);
  }

  /** Returns the hash that a changed receipt should state, made without this library's own way. */
  static String hashOf(ObjectNode receipt) {
    ObjectNode content = receipt.deepCopy();
    content.remove("signatures");
    content.withObjectProperty("chain").remove("receipt_hash");
    return Sha256.of(CanonicalJson.bytes(content)).toString();
  }
}
