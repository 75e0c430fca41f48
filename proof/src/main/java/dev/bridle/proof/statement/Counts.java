package dev.bridle.proof.statement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Whole numbers of statements. */
final class Counts {
  private Counts() {}

  static long read(ObjectNode json, String name) throws InvalidStatementException {
    JsonNode value = json.path(name);
    SignedStatement.demand(
        value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0,
        "`" + name + "` is no count");
    return value.longValue();
  }
}
