package dev.bridle.core.operations.portability.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The number of objects in an export.
 *
 * @param records the number of records
 * @param events the number of events
 * @param chunks the number of pieces of blobs
 * @param liveTasks the number of tasks that had not ended
 */
public record Counts(long records, long events, long chunks, long liveTasks) {
  /** All zero. */
  public static final Counts NONE = new Counts(0, 0, 0, 0);

  /** Returns the sum. */
  public Counts plus(Counts other) {
    return new Counts(
        records + other.records,
        events + other.events,
        chunks + other.chunks,
        liveTasks + other.liveTasks);
  }

  ObjectNode writeTo(ObjectNode object) {
    return object
        .put("records", records)
        .put("events", events)
        .put("chunks", chunks)
        .put("live_tasks", liveTasks);
  }

  static Counts read(JsonNode object) {
    return new Counts(
        object.path("records").asLong(),
        object.path("events").asLong(),
        object.path("chunks").asLong(),
        object.path("live_tasks").asLong());
  }
}
