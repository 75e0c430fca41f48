package dev.bridle.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.message.v1.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a task ended well.
 *
 * @param summary the result in a sentence or two, at most 65,536 characters
 * @param artifactIds the task's artifacts that belong to the result, at most 200
 * @param message the parts of a last message to the user; none: no message
 * @param cost what it cost, as a JSON object
 * @param metrics what was measured, as a JSON object
 */
public record TaskResult(
    String summary,
    List<String> artifactIds,
    List<Part> message,
    Optional<ObjectNode> cost,
    Optional<ObjectNode> metrics) {

  /** Copies the lists. */
  public TaskResult {
    Objects.requireNonNull(summary, "summary");
    artifactIds = List.copyOf(artifactIds);
    message = List.copyOf(message);
  }

  /** Returns a result that is its summary alone. */
  public static TaskResult of(String summary) {
    return new TaskResult(summary, List.of(), List.of(), Optional.empty(), Optional.empty());
  }

  /** Returns this result with one more artifact. */
  public TaskResult withArtifact(Artifact artifact) {
    List<String> ids = new ArrayList<>(artifactIds);
    ids.add(artifact.getId());
    return new TaskResult(summary, ids, message, cost, metrics);
  }

  /** Returns this result with a last message to the user, appended as the task ends. */
  public TaskResult withMessage(Part... parts) {
    return new TaskResult(summary, artifactIds, List.of(parts), cost, metrics);
  }

  /** Returns this result with what it cost. */
  public TaskResult withCost(ObjectNode newCost) {
    return new TaskResult(summary, artifactIds, message, Optional.of(newCost), metrics);
  }

  /** Returns this result with what was measured. */
  public TaskResult withMetrics(ObjectNode newMetrics) {
    return new TaskResult(summary, artifactIds, message, cost, Optional.of(newMetrics));
  }
}
