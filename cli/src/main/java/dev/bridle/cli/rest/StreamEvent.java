package dev.bridle.cli.rest;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event as a stream brought it.
 *
 * @param id its id, and the cursor behind it
 * @param kind its kind, such as `task.completed`
 * @param body the whole event
 */
public record StreamEvent(String id, String kind, JsonNode body) {

  /** Returns whether it ends its task. */
  public boolean endsTask() {
    return kind.equals("task.completed")
        || kind.equals("task.failed")
        || kind.equals("task.canceled");
  }

  /** Returns the id of its task; empty text where it has none. */
  public String taskId() {
    return body.path("task_id").asText("");
  }

  /** Returns its number among the events of its resource. */
  public long sequence() {
    return body.path("sequence").asLong(-1);
  }
}
