package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.Waiting;
import dev.bridle.storage.layer.StepStore;

/**
 * Puts together what asks, answers and ends permission requests.
 *
 * @param asking answers workers
 * @param confirmations takes answers that come as messages
 * @param expiry ends what nobody has decided
 * @param service what clients call
 */
public record Permissions(
    Asking asking, Confirmations confirmations, Expiry expiry, PermissionService service) {

  /**
   * Returns them over their parts.
   *
   * @param policy what answers before anybody is asked
   */
  public static Permissions in(
      CoreContext context, TaskStores stores, TaskEndings endings, AskingPolicy policy) {
    SessionStore sessions = new SessionStore(context.layout(), context.log());
    PendingPermission pending = new PendingPermission(context);
    Waiting waiting = new Waiting(context.settings(TaskOptions.class));
    PermissionStore permissions = new PermissionStore(context.layout());
    GrantStore grants = new GrantStore(context.layout());
    StandingGrants standing = new StandingGrants(grants, sessions);
    Decisions decisions = new Decisions(pending, standing, waiting);
    Answers answers = new Answers(permissions, decisions);
    return new Permissions(
        new Asking(
            pending,
            standing,
            new AskedSteps(new Steps(new StepStore(context.layout()))),
            stores.quotas(),
            endings,
            waiting,
            policy),
        new Confirmations(permissions, answers),
        new Expiry(context.commands(), stores, permissions, decisions),
        new PermissionService(context, sessions, stores, permissions, grants, answers));
  }
}
