package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.record.v1.TaskFactRecord;
import java.util.List;

/** Parses the fragments of receipts that stored facts hold. */
final class Fragments {
  private Fragments() {}

  static ObjectNode of(TaskFactRecord fact) {
    return (ObjectNode) StrictJson.parse(fact.getPart().toByteArray());
  }

  /**
   * Returns the fragments of a list.
   *
   * @param pointer where the list stands in the receipt
   */
  static ArrayNode all(List<TaskFactRecord> facts, String pointer, Doubts doubts) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (TaskFactRecord fact : facts) {
      ObjectNode part = of(fact);
      if (part.path("purpose").asText().equals(Doubts.REDACTED)) {
        doubts.redacted(pointer + '/' + all.size() + "/purpose", fact.getProof());
      }
      all.add(part);
    }
    return all;
  }
}
