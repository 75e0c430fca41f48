package dev.bridle.proof.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalWriter;
import java.util.Arrays;
import java.util.Map;

/**
 * The canonical bytes that a receipt's hash is over: all but {@code chain.receipt_hash} and {@code
 * signatures}. It knows where those two belong, so that a receipt is written once to be hashed and
 * sent.
 */
final class ReceiptContent {
  private static final String CHAIN = "chain";
  private static final String HASH = "receipt_hash";
  private static final String SIGNATURES = "signatures";

  private final CanonicalWriter writer = new CanonicalWriter();
  private int hashAt;
  private int signaturesAt;

  private ReceiptContent() {}

  /**
   * Writes a receipt's content.
   *
   * @throws IllegalArgumentException if it has no canonical form, or no chain with a previous hash
   */
  static ReceiptContent of(ObjectNode receipt) {
    if (!receipt.path(CHAIN).has("previous_receipt_hash")) {
      throw new IllegalArgumentException(
          "A receipt has a member `chain` with `previous_receipt_hash`, which may be null.");
    }
    ReceiptContent content = new ReceiptContent();
    content.writeReceipt(receipt);
    return content;
  }

  private void writeReceipt(ObjectNode receipt) {
    String separator = "{";
    for (Map.Entry<String, JsonNode> member : CanonicalWriter.sortedMembers(receipt)) {
      String name = member.getKey();
      if (name.equals(SIGNATURES)) {
        continue;
      }
      if (signaturesAt == 0 && name.compareTo(SIGNATURES) > 0) {
        signaturesAt = writer.size();
      }
      writer.raw(separator);
      separator = ",";
      writer.string(name);
      writer.raw(":");
      if (name.equals(CHAIN)) {
        writeChain((ObjectNode) member.getValue());
      } else {
        writer.value(member.getValue());
      }
    }
    signaturesAt = signaturesAt == 0 ? writer.size() : signaturesAt;
    writer.raw("}");
  }

  private void writeChain(ObjectNode chain) {
    String separator = "{";
    for (Map.Entry<String, JsonNode> member : CanonicalWriter.sortedMembers(chain)) {
      String name = member.getKey();
      if (name.equals(HASH)) {
        continue;
      }
      if (hashAt == 0 && name.compareTo(HASH) > 0) {
        hashAt = writer.size();
      }
      writer.raw(separator);
      separator = ",";
      writer.string(name);
      writer.raw(":");
      writer.value(member.getValue());
    }
    hashAt = hashAt == 0 ? writer.size() : hashAt;
    writer.raw("}");
  }

  Sha256 hash() {
    return Sha256.of(writer.toByteArray());
  }

  /** Returns the canonical bytes of the whole receipt, with its hash and its signatures. */
  byte[] complete(Sha256 hash, JsonNode signatures) {
    byte[] content = writer.toByteArray();
    CanonicalWriter inserted = new CanonicalWriter();
    inserted.raw(",\"receipt_hash\":\"" + hash + "\"");
    int first = inserted.size();
    inserted.raw(",\"signatures\":");
    inserted.value(signatures);
    byte[] insertions = inserted.toByteArray();
    byte[] whole = Arrays.copyOf(content, content.length + insertions.length);
    int rest = signaturesAt + first;
    System.arraycopy(insertions, 0, whole, hashAt, first);
    System.arraycopy(content, hashAt, whole, hashAt + first, signaturesAt - hashAt);
    System.arraycopy(insertions, first, whole, rest, insertions.length - first);
    System.arraycopy(
        content,
        signaturesAt,
        whole,
        signaturesAt + insertions.length,
        content.length - signaturesAt);
    return whole;
  }
}
