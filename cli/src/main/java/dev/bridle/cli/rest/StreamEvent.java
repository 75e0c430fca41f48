package dev.bridle.cli.rest;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event received from a stream.
 *
 * @param id its id, which is also the cursor to resume after it
 * @param kind its kind, such as `task.completed`
 * @param body the whole event
 */
public record StreamEvent(String id, String kind, JsonNode body) {

  /** Returns whether this event ends its task. */
  public boolean endsTask() {
    return kind.equals("task.completed")
        || kind.equals("task.failed")
        || kind.equals("task.canceled");
  }

  /** Returns the id of its task, or an empty string if it has none. */
  public String taskId() {
    return body.path("task_id").asText("");
  }

  /** Returns its sequence number among the events of its resource. */
  public long sequence() {
    return body.path("sequence").asLong(-1);
  }
}
