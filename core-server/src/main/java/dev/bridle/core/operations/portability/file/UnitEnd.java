package dev.bridle.core.operations.portability.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The end of a unit, which is consistent in itself.
 *
 * @param unit its kind, such as {@code session}
 * @param id its id
 * @param highWater its newest event when it was read; empty without events
 * @param cursor where an export resumes after this unit
 * @param counts the counts of the unit
 */
public record UnitEnd(String unit, String id, String highWater, String cursor, Counts counts) {

  /** Returns the block. */
  public byte[] block() {
    ObjectNode json =
        FileJson.object()
            .put("unit", unit)
            .put("id", id)
            .put("high_water", highWater)
            .put("cursor", cursor);
    return Block.encode(Block.UNIT, FileJson.bytes(counts.writeTo(json)));
  }

  static UnitEnd read(Block block) {
    JsonNode json = FileJson.parse(block, "end of a unit");
    return new UnitEnd(
        json.path("unit").asText(),
        json.path("id").asText(),
        json.path("high_water").asText(),
        json.path("cursor").asText(),
        Counts.read(json));
  }
}
