package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Commitment;

/**
 * What a receipt says about its own gaps: which members nobody has reported, and which texts stand
 * elsewhere and are proven by a commitment. Not thread-safe.
 */
final class Doubts {
  /** What stands in a receipt for text that must stay removable. */
  static final String REDACTED = "redacted";

  private final ArrayNode notReported = JsonNodeFactory.instance.arrayNode();
  private final ArrayNode redactions = JsonNodeFactory.instance.arrayNode();

  /** Adds a member that nobody has reported, by its JSON Pointer (RFC 6901). */
  void notReported(String pointer) {
    notReported.add(pointer);
  }

  /**
   * Adds a text that is left out.
   *
   * @param proof the commitment of the event that has it
   */
  void redacted(String pointer, ByteString proof) {
    ObjectNode redaction =
        redactions.addObject().put("field", pointer).put("reason", "kept in the task's events");
    if (!proof.isEmpty()) {
      redaction.put("proof_hash", Commitment.spell(proof));
    }
  }

  ArrayNode notReported() {
    return notReported;
  }

  ArrayNode redactions() {
    return redactions;
  }
}
