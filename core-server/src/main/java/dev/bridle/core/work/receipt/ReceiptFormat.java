package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.schema.ReceiptSchema;
import dev.bridle.proof.schema.SchemaFault;
import java.util.Optional;

/** Checks what a task's facts make of a receipt, before its issuer completes it. */
final class ReceiptFormat {
  private static final String ANY_HASH = "sha256:" + "0".repeat(64);
  private static final String ANY_TIME = "1970-01-01T00:00:00Z";

  /** Room for issuer, chain and signature. */
  private static final int ROOM_BYTES = 4096;

  private ReceiptFormat() {}

  /**
   * Returns what is wrong with a receipt whose issuer, time and chain are still missing: its
   * schema, its size.
   *
   * @throws IllegalArgumentException if it has no canonical form, such as for a number beyond 2^53
   */
  static Optional<String> fault(ObjectNode receipt) {
    receipt.put("schema", ReceiptSchema.MARKER).put("receipt_id", "any").put("issued_at", ANY_TIME);
    receipt.putObject("issuer").put("id", "any").put("kind", "harness");
    receipt.putObject("chain").putNull("previous_receipt_hash").put("receipt_hash", ANY_HASH);
    Optional<String> schema = ReceiptSchema.receipt().fault(receipt).map(SchemaFault::toString);
    return schema.isEmpty()
            && CanonicalJson.bytes(receipt).length > StrictJson.MAX_BYTES - ROOM_BYTES
        ? Optional.of("too large")
        : schema;
  }
}
