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
 * @param signed applies answers that devices have signed
 * @param voided ends what was allowed of an action that is another one
 */
public record Permissions(
    PermissionGate gate,
    Confirmations confirmations,
    PermissionExpiry expiry,
    PermissionService service,
    SignedAnswers signed,
    VoidedApprovals voided) {

  /**
   * Creates the components.
   *
   * @param policy decides before people are asked
   * @param listener hears of what they are asked
   */
  public static Permissions in(
      CoreContext context,
      TaskStores stores,
      TaskEndings endings,
      PermissionPolicy policy,
      PermissionListener listener) {
    SessionStore sessions = new SessionStore(context.layout(), context.log());
    PendingPermission pending = new PendingPermission(context, listener);
    WaitingLease waiting = new WaitingLease(context.settings(TaskOptions.class));
    PermissionStore permissions = new PermissionStore(context.layout());
    GrantStore grants = new GrantStore(context.layout());
    StandingGrants standing =
        new StandingGrants(grants, sessions, new WorkspaceStore(context.layout()));
    Decisions decisions = new Decisions(pending, standing, waiting);
    PermissionSteps steps = new PermissionSteps(new Steps(new StepStore(context.layout())));
    Answers answers = new Answers(permissions, decisions, policy, listener);
    return new Permissions(
        new PermissionGate(pending, standing, steps, stores.quotas(), endings, waiting, policy),
        new Confirmations(permissions, answers),
        new PermissionExpiry(
            new DueTasks(context.commands(), stores), stores.tasks(), permissions, decisions),
        new PermissionService(context, sessions, stores, permissions, grants, answers),
        new SignedAnswers(answers),
        new VoidedApprovals(
            permissions, grants, new GrantRevocation(grants, stores.events()), steps, policy));
  }
}
