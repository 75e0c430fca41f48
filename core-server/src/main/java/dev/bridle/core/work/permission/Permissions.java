package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.DueTasks;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.WaitingLease;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.layer.StepStore;

/**
 * Wires the components of permission requests.
 *
 * @param gate decides for workers
 * @param confirmations applies answers that come as messages
 * @param expiry expires undecided requests
 * @param service the service for clients
 */
public record Permissions(
    PermissionGate gate,
    Confirmations confirmations,
    PermissionExpiry expiry,
    PermissionService service) {

  /**
   * Creates the components.
   *
   * @param policy decides before people are asked
   */
  public static Permissions in(
      CoreContext context, TaskStores stores, TaskEndings endings, PermissionPolicy policy) {
    SessionStore sessions = new SessionStore(context.layout(), context.log());
    PendingPermission pending = new PendingPermission(context);
    WaitingLease waiting = new WaitingLease(context.settings(TaskOptions.class));
    PermissionStore permissions = new PermissionStore(context.layout());
    GrantStore grants = new GrantStore(context.layout());
    StandingGrants standing =
        new StandingGrants(grants, sessions, new WorkspaceStore(context.layout()));
    Decisions decisions = new Decisions(pending, standing, waiting);
    Answers answers = new Answers(permissions, decisions, policy);
    return new Permissions(
        new PermissionGate(
            pending,
            standing,
            new PermissionSteps(new Steps(new StepStore(context.layout()))),
            stores.quotas(),
            endings,
            waiting,
            policy),
        new Confirmations(permissions, answers),
        new PermissionExpiry(
            new DueTasks(context.commands(), stores), stores.tasks(), permissions, decisions),
        new PermissionService(context, sessions, stores, permissions, grants, answers));
  }
}
