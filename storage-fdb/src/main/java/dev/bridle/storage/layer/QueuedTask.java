package dev.bridle.storage.layer;

/**
 * A task that waits for a worker.
 *
 * @param tenant whose it is
 * @param task the task's id
 * @param agentId the agent that it is bound to; empty where nobody is
 * @param workspace the workspace that it belongs to; empty in entries of before it was kept
 * @param affinityWorkerId the process that it waits for first; empty where any will do
 * @param affinityUntil until when it waits for that process, in Unix milliseconds
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

  /** Makes an entry that is about to be queued. */
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
