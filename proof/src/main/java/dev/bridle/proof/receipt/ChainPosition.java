package dev.bridle.proof.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Where a receipt stands in its session's chain, as its metadata states it under {@value #MEMBER}.
 *
 * @param index the number of earlier receipts of the session
 * @param era the era of the storage, which a restore raises
 */
public record ChainPosition(long index, long era) {
  /** The member of {@code metadata}. */
  public static final String MEMBER = "bridle.chain";

  /** Returns the position that a member states; empty if it is malformed. */
  public static Optional<ChainPosition> parse(JsonNode member) {
    JsonNode index = member.path("index");
    JsonNode era = member.path("era");
    return isCount(index) && isCount(era)
        ? Optional.of(new ChainPosition(index.longValue(), era.longValue()))
        : Optional.empty();
  }

  private static boolean isCount(JsonNode number) {
    return number.isNumber()
        && number.doubleValue() >= 0
        && number.doubleValue() == Math.rint(number.doubleValue())
        && number.doubleValue() < (1L << 53);
  }

  ObjectNode toJson() {
    return JsonNodeFactory.instance.objectNode().put("era", era).put("index", index);
  }
}
