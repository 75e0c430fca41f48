package dev.bridle.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.message.v1.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of a completed task.
 *
 * @param summary the result in a sentence or two, at most 65,536 characters
 * @param artifactIds the artifacts of the result, at most 200
 * @param message the parts of a final message to the user; none: no message
 * @param cost the cost, as a JSON object
 * @param metrics the metrics, as a JSON object
 * @param sessionIdle whether the session's agent waits for something to do, so that the session is
 *     IDLE until its next task begins; only of workers with one task per session
 */
public record TaskResult(
    String summary,
    List<String> artifactIds,
    List<Part> message,
    Optional<ObjectNode> cost,
    Optional<ObjectNode> metrics,
    boolean sessionIdle) {

  /** Copies the lists. */
  public TaskResult {
    Objects.requireNonNull(summary, "summary");
    artifactIds = List.copyOf(artifactIds);
    message = List.copyOf(message);
  }

  /** Returns a result with only a summary. */
  public static TaskResult of(String summary) {
    return new TaskResult(summary, List.of(), List.of(), Optional.empty(), Optional.empty(), false);
  }

  /** Returns a copy with another artifact. */
  public TaskResult withArtifact(Artifact artifact) {
    List<String> ids = new ArrayList<>(artifactIds);
    ids.add(artifact.getId());
    return new TaskResult(summary, ids, message, cost, metrics, sessionIdle);
  }

  /** Returns a copy with a final message to the user, which is appended when the task ends. */
  public TaskResult withMessage(Part... parts) {
    return new TaskResult(summary, artifactIds, List.of(parts), cost, metrics, sessionIdle);
  }

  /** Returns a copy with a cost. */
  public TaskResult withCost(ObjectNode newCost) {
    return new TaskResult(
        summary, artifactIds, message, Optional.of(newCost), metrics, sessionIdle);
  }

  /** Returns a copy with metrics. */
  public TaskResult withMetrics(ObjectNode newMetrics) {
    return new TaskResult(
        summary, artifactIds, message, cost, Optional.of(newMetrics), sessionIdle);
  }

  /** Returns a copy that says whether the session's agent waits. */
  public TaskResult withSessionIdle(boolean newSessionIdle) {
    return new TaskResult(summary, artifactIds, message, cost, metrics, newSessionIdle);
  }
}
