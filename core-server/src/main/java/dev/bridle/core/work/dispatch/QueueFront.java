package dev.bridle.core.work.dispatch;

import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import java.util.List;

/**
 * Remembers by shard up to which version a queue is empty. Tasks that are queued later have a later
 * version, so a scan may start at the oldest task that was seen, and skips the tombstones of tasks
 * that were taken. Not thread-safe.
 */
final class QueueFront {
  private final long[] versions = new long[TaskQueue.SHARDS];

  /** Returns the version from which on a shard may have tasks. */
  long version(int shard) {
    return versions[shard];
  }

  /** Records the tasks that a scan from the front found at a read version. */
  void saw(int shard, List<QueuedTask> waiting, long readVersion) {
    versions[shard] = waiting.isEmpty() ? readVersion + 1 : waiting.get(0).queuedVersion();
  }
}
