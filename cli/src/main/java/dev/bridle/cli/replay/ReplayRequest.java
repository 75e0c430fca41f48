package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.util.List;

/** What a server is asked to replay: the body of the request. Immutable. */
final class ReplayRequest {
  private final ObjectNode body;

  private ReplayRequest(ObjectNode body) {
    this.body = body;
  }

  /** Requests an exact replay. */
  static ReplayRequest of(ReplayDepth depth) {
    return new ReplayRequest(JsonLines.object().put("depth", depth.toString()));
  }

  /** Requests what further calls say. */
  static ReplayRequest empty() {
    return new ReplayRequest(JsonLines.object());
  }

  /** Requests a replay as the file of {@link OverrideFile} says. */
  static ReplayRequest with(ObjectNode overrides) {
    return new ReplayRequest(overrides.deepCopy());
  }

  /** Returns this request, beginning at a checkpoint. */
  ReplayRequest from(String checkpoint) {
    ObjectNode from = body();
    from.remove(List.of("checkpoint_id", "checkpoint_event_id"));
    String member = checkpoint.startsWith("event_") ? "checkpoint_event_id" : "checkpoint_id";
    return new ReplayRequest(from.put("mode", "from_checkpoint").put(member, checkpoint));
  }

  /** Returns this request, with recorded values that the handler computes anew. */
  ReplayRequest refreshing(List<String> keys) {
    ObjectNode more = body();
    keys.forEach(more.withArrayProperty("refresh")::add);
    return new ReplayRequest(more.has("mode") ? more : more.put("mode", "with_overrides"));
  }

  ObjectNode body() {
    return body.deepCopy();
  }

  /** Returns whether the task's handler runs. */
  boolean isExecuted() {
    return !body.path("depth").asText().equals(ReplayDepth.LOG.toString());
  }
}
