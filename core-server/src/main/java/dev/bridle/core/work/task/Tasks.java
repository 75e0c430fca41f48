package dev.bridle.core.work.task;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.KeyValueStore;

/** Puts the task service together. */
public final class Tasks {
  private Tasks() {}

  /** Returns the service over its parts. */
  public static TaskService service(
      KeyValueStore store,
      Commands commands,
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
      Pages pages,
      TaskService.CancelListener cancels) {
    return new TaskService(
        store,
        commands,
        workspaces,
        sessions,
        stores,
        submission,
        new TaskCancellation(endings, options),
        new TaskMessages(messages, steps, confirmations, toolResults, waiting, stores.quotas()),
        pages,
        cancels);
  }
}
