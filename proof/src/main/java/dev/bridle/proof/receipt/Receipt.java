package dev.bridle.proof.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.receipt.InvalidReceiptException.Reason;
import dev.bridle.proof.schema.ReceiptSchema;
import dev.bridle.proof.schema.SchemaFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A receipt whose shape is that of the published schema; whether it is genuine is for {@code
 * dev.bridle.proof.verify}. It keeps all members, those that are not known here too. Immutable.
 */
public final class Receipt {
  private final ObjectNode json;

  private Receipt(ObjectNode json) {
    this.json = json;
  }

  /**
   * Parses a receipt.
   *
   * @throws InvalidReceiptException if the bytes are not strict JSON, or not of the schema
   */
  public static Receipt parse(byte[] bytes) {
    JsonNode json;
    try {
      json = StrictJson.parse(bytes);
    } catch (InvalidJsonException e) {
      throw new InvalidReceiptException(Reason.JSON, e);
    }
    Optional<SchemaFault> fault = ReceiptSchema.receipt().fault(json);
    if (fault.isPresent()) {
      throw new InvalidReceiptException(Reason.SCHEMA, fault.get().toString());
    }
    return new Receipt((ObjectNode) json);
  }

  /**
   * Completes a receipt that nobody signs with its hash.
   *
   * @param content all members but {@code chain.receipt_hash} and {@code signatures}, which are
   *     replaced if they are there. It is not changed.
   * @throws InvalidReceiptException if the result is not of the schema
   * @throws IllegalArgumentException if it has no canonical form, or no {@code chain} with a {@code
   *     previous_receipt_hash}
   */
  public static Receipt unsigned(ObjectNode content) {
    ReceiptContent hashed = ReceiptContent.of(content);
    return parse(hashed.complete(hashed.hash(), JsonNodeFactory.instance.arrayNode()));
  }

  /** Returns the receipt's id. */
  public String id() {
    return json.get("receipt_id").textValue();
  }

  /** Returns what the receipt is about. */
  public ResourceRef subject() {
    JsonNode subject = json.get("subject");
    return new ResourceRef(text(subject, "object"), text(subject, "id"));
  }

  /** Returns who issued it. */
  public Issuer issuer() {
    JsonNode issuer = json.get("issuer");
    return new Issuer(
        text(issuer, "id"), text(issuer, "kind"), optionalText(issuer, "public_key_id"));
  }

  /** Returns when it was issued, as RFC 3339. */
  public String issuedAt() {
    return text(json, "issued_at");
  }

  /** Returns where its work was done. */
  public Identifiers identifiers() {
    JsonNode ids = json.get("identifiers");
    return new Identifiers(
        optionalText(ids, "tenant_id"),
        optionalText(ids, "persona_ref"),
        text(ids, "workspace_ref"),
        text(ids, "session_id"),
        text(ids, "task_id"),
        optionalText(ids, "branch_id"),
        optionalText(ids, "trace_id"));
  }

  /** Returns how the work ended: {@code SUCCEEDED}, {@code FAILED} or {@code CANCELED}. */
  public String finalState() {
    return text(json.get("lifecycle"), "final_state");
  }

  /** Returns its link to the receipt before it. */
  public ChainLink chain() {
    JsonNode chain = json.get("chain");
    return new ChainLink(
        optionalHash(chain, "previous_receipt_hash"),
        optionalHash(chain, "receipt_hash").orElseThrow(),
        optionalHash(chain, "merkle_root"));
  }

  /** Returns its signatures, in their order. */
  public List<ReceiptSignature> signatures() {
    List<ReceiptSignature> signatures = new ArrayList<>();
    for (JsonNode one : json.path("signatures")) {
      signatures.add(
          new ReceiptSignature(
              text(one, "key_id"),
              text(one, "algorithm"),
              text(one, "signature"),
              optionalText(one, "signed_at")));
    }
    return signatures;
  }

  /** Returns a copy of a member of its metadata; empty if there is none. */
  public Optional<JsonNode> metadata(String name) {
    return Optional.<JsonNode>ofNullable(json.path("metadata").get(name)).map(JsonNode::deepCopy);
  }

  /**
   * Returns the hash of its content: SHA-256 over the canonical bytes without {@code
   * chain.receipt_hash} and {@code signatures}. A genuine receipt states the same.
   */
  public Sha256 contentHash() {
    return ReceiptContent.of(json).hash();
  }

  /** Returns the canonical bytes of the whole receipt. */
  public byte[] bytes() {
    return CanonicalJson.bytes(json);
  }

  /** Returns a copy of all members. */
  public ObjectNode json() {
    return json.deepCopy();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Receipt receipt && json.equals(receipt.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return "Receipt[" + id() + "]";
  }

  private static String text(JsonNode from, String name) {
    return from.get(name).textValue();
  }

  private static Optional<String> optionalText(JsonNode from, String name) {
    return Optional.ofNullable(from.path(name).textValue());
  }

  private static Optional<Sha256> optionalHash(JsonNode from, String name) {
    return optionalText(from, name).flatMap(Sha256::parse);
  }
}
