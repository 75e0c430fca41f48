package dev.bridle.core.operations.portability.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * How much an export holds.
 *
 * @param records records
 * @param events events
 * @param chunks pieces of blobs
 * @param liveTasks tasks that had not ended
 */
public record Counts(long records, long events, long chunks, long liveTasks) {
  /** Nothing. */
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
