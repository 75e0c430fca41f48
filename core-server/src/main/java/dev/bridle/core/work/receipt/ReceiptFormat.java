package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.schema.ReceiptSchema;
import dev.bridle.proof.schema.SchemaFault;
import java.util.Optional;

/** Checks what a task's facts make of a receipt, before its issuer completes it. */
final class ReceiptFormat {
  private static final String ANY_HASH = "sha256:" + "0".repeat(64);
  private static final String ANY_TIME = "1970-01-01T00:00:00Z";

  private ReceiptFormat() {}

  /** Returns the first fault of a receipt whose issuer, time and chain are still missing. */
  static Optional<SchemaFault> fault(ObjectNode receipt) {
    receipt.put("schema", ReceiptSchema.MARKER).put("receipt_id", "any").put("issued_at", ANY_TIME);
    receipt.putObject("issuer").put("id", "any").put("kind", "harness");
    receipt.putObject("chain").putNull("previous_receipt_hash").put("receipt_hash", ANY_HASH);
    return ReceiptSchema.receipt().fault(receipt);
  }
}
