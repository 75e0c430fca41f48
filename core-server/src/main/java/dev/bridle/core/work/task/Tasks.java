package dev.bridle.core.work.task;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.layer.StepStore;

/** Wires the task service. */
public final class Tasks {
  private Tasks() {}

  /** Creates the service. */
  public static TaskService service(
      CoreContext context,
      TaskStores stores,
      TaskSubmission submission,
      TaskEndings endings,
      ConfirmationIntake confirmations,
      ToolResultIntake toolResults,
      CancelListener cancels) {
    TaskOptions options = context.settings(TaskOptions.class);
    return new TaskService(
        context,
        new WorkspaceStore(context.layout()),
        new SessionStore(context.layout(), context.log()),
        stores,
        submission,
        new TaskCancellation(endings, options, cancels),
        new TaskMessages(
            new MessageStore(context.layout()),
            new Steps(new StepStore(context.layout())),
            confirmations,
            toolResults,
            new WaitingLease(options),
            stores.quotas()));
  }
}
