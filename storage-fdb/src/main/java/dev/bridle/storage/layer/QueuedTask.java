package dev.bridle.storage.layer;

/**
 * A task that waits for a worker.
 *
 * @param tenant whose it is
 * @param task the task's id
 * @param agentId the agent that it is bound to; empty where nobody is
 * @param affinityWorkerId the process that it waits for first; empty where any will do
 * @param affinityUntil until when it waits for that process, in Unix milliseconds
 */
public record QueuedTask(
    String tenant, String task, String agentId, String affinityWorkerId, long affinityUntil) {}
