package dev.bridle.core.operations.portability.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * The end of a unit, which is consistent in itself.
 *
 * @param unit its kind, such as {@code session}
 * @param id its id
 * @param highWater its newest event when it was read; empty without events
 * @param cursor where an export resumes after this unit
 * @param counts the counts of the unit
 * @param resume what lets its installation sign an export that resumes after this unit; empty in
 *     files of releases that did not sign them
 */
public record UnitEnd(
    String unit,
    String id,
    String highWater,
    String cursor,
    Counts counts,
    Optional<String> resume) {

  /** Returns the same end with what lets an export resume after it. */
  public UnitEnd resumable(String resume) {
    return new UnitEnd(unit, id, highWater, cursor, counts, Optional.of(resume));
  }

  /** Returns the content without what lets an export resume. */
  public byte[] unsealed() {
    return FileJson.bytes(json());
  }

  /** Returns the content of the block. */
  public byte[] content() {
    ObjectNode json = json();
    resume.ifPresent(text -> json.put("resume", text));
    return FileJson.bytes(json);
  }

  /** Returns the block. */
  public byte[] block() {
    return Block.encode(Block.UNIT, content());
  }

  private ObjectNode json() {
    ObjectNode json =
        FileJson.object()
            .put("unit", unit)
            .put("id", id)
            .put("high_water", highWater)
            .put("cursor", cursor);
    return counts.writeTo(json);
  }

  /**
   * Reads the content of a block.
   *
   * @throws DamagedFileException if it is no end of a unit
   */
  public static UnitEnd parse(byte[] content) {
    return read(new Block(Block.UNIT, content, 0, content.length));
  }

  static UnitEnd read(Block block) {
    JsonNode json = FileJson.parse(block, "end of a unit");
    return new UnitEnd(
        json.path("unit").asText(),
        json.path("id").asText(),
        json.path("high_water").asText(),
        json.path("cursor").asText(),
        Counts.read(json),
        Optional.ofNullable(json.path("resume").textValue()));
  }
}
