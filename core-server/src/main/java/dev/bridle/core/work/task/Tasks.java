package dev.bridle.core.work.task;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;

/** Puts the task service together. */
public final class Tasks {
  private Tasks() {}

  /** Returns the service over its parts. */
  public static TaskService service(
      CoreContext context,
      WorkspaceStore workspaces,
      SessionStore sessions,
      MessageStore messages,
      TaskSubmission submission,
      Steps steps,
      TaskStores stores,
      TaskEndings endings,
      ConfirmationIntake confirmations,
      ToolResultIntake toolResults,
      Waiting waiting,
      TaskOptions options,
      CancelListener cancels) {
    return new TaskService(
        context,
        workspaces,
        sessions,
        stores,
        submission,
        new TaskCancellation(endings, options, cancels),
        new TaskMessages(messages, steps, confirmations, toolResults, waiting, stores.quotas()));
  }
}
