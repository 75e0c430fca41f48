package dev.bridle.core.work.artifact;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.ListArtifactsRequest;
import dev.bridle.artifact.v1.RegisterArtifactRequest;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.Task;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Resolves the workspace, session and task that own an artifact: a task implies its session, and a
 * session its workspace.
 */
public final class ArtifactOwners {
  private static final String TASK_ID = "task_id";
  private static final String SESSION_ID = "session_id";
  private static final String WORKSPACE_ID = "workspace_id";

  private final WorkspaceStore workspaces;
  private final SessionStore sessions;
  private final TaskStore tasks;

  ArtifactOwners(CoreContext context) {
    this.workspaces = new WorkspaceStore(context.layout());
    this.sessions = new SessionStore(context.layout(), context.log());
    this.tasks = new TaskStore(context.layout());
  }

  /**
   * The owners of an artifact.
   *
   * @param workspace its workspace
   * @param session its session
   * @param task its task
   */
  record Owner(String workspace, Optional<String> session, Optional<Task> task) {

    /** Checks that the task has not ended; {@code conflict} otherwise. */
    void needRunningTask() {
      task.filter(found -> TaskLifecycle.terminal(found.getStatus()))
          .ifPresent(
              ended -> {
                throw ProtocolException.of(
                        ErrorCode.ERROR_CODE_CONFLICT,
                        "The task has ended and accepts no more artifacts.")
                    .with(TASK_ID, ended.getId());
              });
    }
  }

  /** Returns whether every resource that a list filter names exists and is accessible. */
  boolean reachFilters(ReadTransaction tr, Caller caller, ListArtifactsRequest request) {
    return (!request.hasWorkspaceId()
            || workspaces.find(tr, caller, request.getWorkspaceId()).isPresent())
        && (!request.hasSessionId() || sessions.visible(tr, caller, request.getSessionId()))
        && (!request.hasTaskId() || tasks.reached(tr, caller, request.getTaskId()).isPresent());
  }

  /**
   * Returns the owners of a new artifact. Resources that the request names must exist and be
   * consistent.
   */
  Owner of(ReadTransaction tr, Caller caller, RegisterArtifactRequest request) {
    if (request.hasTaskId()) {
      Task task = blaming(TASK_ID, () -> task(tr, caller, request.getTaskId()));
      agree(request.hasSessionId(), request.getSessionId(), task.getSessionId(), SESSION_ID);
      agree(
          request.hasWorkspaceId(), request.getWorkspaceId(), task.getWorkspaceId(), WORKSPACE_ID);
      return new Owner(task.getWorkspaceId(), Optional.of(task.getSessionId()), Optional.of(task));
    }
    if (request.hasSessionId()) {
      Session session =
          blaming(SESSION_ID, () -> sessions.need(tr, caller, request.getSessionId()));
      agree(
          request.hasWorkspaceId(),
          request.getWorkspaceId(),
          session.getWorkspaceId(),
          WORKSPACE_ID);
      return new Owner(session.getWorkspaceId(), Optional.of(session.getId()), Optional.empty());
    }
    if (request.hasWorkspaceId()) {
      String id =
          blaming(WORKSPACE_ID, () -> workspaces.need(tr, caller, request.getWorkspaceId()))
              .getId();
      return new Owner(id, Optional.empty(), Optional.empty());
    }
    throw ProtocolException.invalid(
        WORKSPACE_ID, "is required unless session_id or task_id is given");
  }

  private Task task(ReadTransaction tr, Caller caller, String id) {
    return tasks.need(tr, caller, id).getTask();
  }

  private static void agree(boolean given, String value, String expected, String param) {
    if (given && !value.equals(expected)) {
      throw ProtocolException.invalid(
          param, "is not the one that the artifact's task or session belongs to");
    }
  }

  private static <T> T blaming(String param, Supplier<T> read) {
    try {
      return read.get();
    } catch (ProtocolException e) {
      throw e.blaming(param);
    }
  }
}
