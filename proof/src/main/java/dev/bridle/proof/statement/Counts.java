package dev.bridle.proof.statement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Whole numbers of statements. One may be written as 1.0, which is the same in canonical JSON. */
final class Counts {
  /** 2^53: from here on doubles are not exact. */
  private static final double LIMIT = 0x1p53;

  private Counts() {}

  static long read(ObjectNode json, String name) throws InvalidStatementException {
    JsonNode value = json.path(name);
    double number = value.doubleValue();
    SignedStatement.demand(
        value.isNumber() && number == Math.rint(number) && number >= 0 && number < LIMIT,
        "`" + name + "` is no count");
    return value.longValue();
  }
}
