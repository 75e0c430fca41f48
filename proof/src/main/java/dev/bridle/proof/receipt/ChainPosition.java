package dev.bridle.proof.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.WholeNumber;
import java.util.Optional;
import java.util.OptionalLong;

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
    OptionalLong index = WholeNumber.countOf(member.path("index"));
    OptionalLong era = WholeNumber.countOf(member.path("era"));
    return index.isPresent() && era.isPresent()
        ? Optional.of(new ChainPosition(index.getAsLong(), era.getAsLong()))
        : Optional.empty();
  }

  ObjectNode toJson() {
    return JsonNodeFactory.instance.objectNode().put("era", era).put("index", index);
  }
}
