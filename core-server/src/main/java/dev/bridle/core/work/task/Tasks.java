package dev.bridle.core.work.task;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.session.SessionStore;
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
      RunningWorkers workers) {
    TaskOptions options = context.settings(TaskOptions.class);
    return new TaskService(
        context,
        stores,
        submission,
        workers,
        new TaskCancellation(endings, options, workers),
        new TaskMessages(
            new MessageStore(context.layout()),
            new Steps(new StepStore(context.layout())),
            confirmations,
            toolResults,
            new WaitingLease(options),
            stores.quotas(),
            new FollowUps(new SessionStore(context.layout(), context.log()), submission)));
  }
}
