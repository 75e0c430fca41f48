package dev.bridle.core.work.artifact;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.Scopes;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.visibility.Viewer;
import dev.bridle.core.work.task.LeaseHolders;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.Task;

/**
 * Decides who reads the bytes of an artifact: callers that see its visibility, and the worker that
 * holds a task that the artifact belongs to, or a replay of it.
 */
final class ContentAccess {
  private final TaskStore tasks;

  ContentAccess(TaskStore tasks) {
    this.tasks = tasks;
  }

  /**
   * Rejects a caller that may not read an artifact's bytes: with {@code resource_locked} if it
   * names a lease that it does not hold, else with {@code permission_denied}.
   */
  void need(
      ReadTransaction tr,
      Caller caller,
      Artifact artifact,
      DownloadArtifactContentRequest request) {
    if (Viewer.of(caller).sees(artifact.getVisibility())) {
      return;
    }
    if (request.hasTaskId()) {
      TaskRecord record = tasks.need(tr, caller, request.getTaskId());
      if (!LeaseHolders.isHeldOrParked(record, caller.actor(), request.getFence())) {
        throw LeaseHolders.lost(record.getTask().getStatus(), request.getFence());
      }
      if (belongs(artifact, record.getTask())) {
        return;
      }
    }
    throw refusal(artifact);
  }

  private static boolean belongs(Artifact artifact, Task task) {
    if (artifact.hasTaskId()) {
      return artifact.getTaskId().equals(task.getId())
          || artifact.getTaskId().equals(task.getReplay().getOriginTaskId());
    }
    return artifact.hasSessionId()
        ? artifact.getSessionId().equals(task.getSessionId())
        : artifact.getWorkspaceId().equals(task.getWorkspaceId());
  }

  private static ProtocolException refusal(Artifact artifact) {
    boolean internal = artifact.getVisibility() == Visibility.VISIBILITY_INTERNAL;
    ProtocolException refusal =
        ProtocolException.of(
                ErrorCode.ERROR_CODE_PERMISSION_DENIED,
                internal
                    ? "The artifact is internal, and the credential lacks the scope for that."
                    : "The artifact is for receipts only; only the worker that holds its task reads"
                        + " it.")
            .with("artifact_id", artifact.getId());
    return internal ? refusal.with("required_scope", Scopes.CONTENT_INTERNAL) : refusal;
  }
}
