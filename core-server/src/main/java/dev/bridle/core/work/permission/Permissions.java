package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.Waiting;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;

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
      KeyValueStore store,
      KeyLayout layout,
      Commands commands,
      SessionStore sessions,
      TaskStores stores,
      PendingPermission pending,
      Steps steps,
      TaskEndings endings,
      Waiting waiting,
      AskingPolicy policy,
      Pages pages) {
    PermissionStore permissions = new PermissionStore(layout);
    GrantStore grants = new GrantStore(layout);
    StandingGrants standing = new StandingGrants(grants, sessions);
    Decisions decisions = new Decisions(pending, standing, waiting);
    Answers answers = new Answers(permissions, decisions);
    return new Permissions(
        new Asking(
            permissions,
            pending,
            standing,
            new AskedSteps(steps),
            stores.quotas(),
            endings,
            waiting,
            policy),
        new Confirmations(permissions, answers),
        new Expiry(commands, stores, permissions, decisions),
        new PermissionService(
            store, commands, sessions, stores, permissions, grants, answers, pages));
  }
}
