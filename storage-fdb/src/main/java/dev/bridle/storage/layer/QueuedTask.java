package dev.bridle.storage.layer;

/**
 * A task that waits for a worker.
 *
 * @param tenant the tenant
 * @param task the task's id
 * @param agentId the agent that it is bound to; empty if none
 * @param workspace the workspace; empty in entries of earlier versions
 * @param affinityWorkerId the worker process that is preferred; empty: any
 * @param affinityUntil until when only that process may take it, in Unix milliseconds
 * @param queuedVersion the version of the commit that queued it; 0 before that commit
 */
public record QueuedTask(
    String tenant,
    String task,
    String agentId,
    String workspace,
    String affinityWorkerId,
    long affinityUntil,
    long queuedVersion) {

  /** Creates an entry that is not queued yet. */
  public QueuedTask(
      String tenant,
      String task,
      String agentId,
      String workspace,
      String affinityWorkerId,
      long affinityUntil) {
    this(tenant, task, agentId, workspace, affinityWorkerId, affinityUntil, 0);
  }
}
