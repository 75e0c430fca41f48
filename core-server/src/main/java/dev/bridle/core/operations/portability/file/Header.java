package dev.bridle.core.operations.portability.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * The header of an export file.
 *
 * @param kind {@code tenant}, {@code session} or {@code task}
 * @param tenant the exported tenant
 * @param session the session, for exports of a session or a task
 * @param task the task, for exports of a task
 * @param installation the id of the exporting installation
 * @param era the tenant's era
 * @param highWater an event id after all events that existed when the export started
 * @param madeAt when the export started, as RFC 3339
 * @param version the version of the exporting server
 */
public record Header(
    String kind,
    String tenant,
    Optional<String> session,
    Optional<String> task,
    String installation,
    int era,
    String highWater,
    String madeAt,
    String version) {
  private static final String CONSISTENCY = "session";

  /** Returns the header's block. */
  public byte[] block() {
    ObjectNode json = FileJson.object().put("kind", kind).put("tenant", tenant);
    session.ifPresent(id -> json.put("session", id));
    task.ifPresent(id -> json.put("task", id));
    json.put("installation", installation)
        .put("era", era)
        .put("high_water", highWater)
        .put("made_at", madeAt)
        .put("bridle_version", version)
        .put("consistency", CONSISTENCY);
    return Block.encode(Block.HEADER, FileJson.bytes(json));
  }

  static Header read(Block block) {
    JsonNode json = FileJson.parse(block, "header");
    return new Header(
        json.path("kind").asText(),
        json.path("tenant").asText(),
        Optional.ofNullable(json.path("session").textValue()),
        Optional.ofNullable(json.path("task").textValue()),
        json.path("installation").asText(),
        json.path("era").asInt(),
        json.path("high_water").asText(),
        json.path("made_at").asText(),
        json.path("bridle_version").asText());
  }
}
