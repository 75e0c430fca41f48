package dev.bridle.core.work.dispatch;

import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import java.util.List;

/**
 * How far a queue has been emptied, by shard. Whatever is queued later has a later version, so
 * nothing can come to lie before the oldest task that was seen waiting. Looking from there on
 * spares the store a walk over all that was taken before. Used by one thread at a time.
 */
final class QueueFront {
  private final long[] versions = new long[TaskQueue.SHARDS];

  /** Returns the version from which on tasks of a shard may wait. */
  long version(int shard) {
    return versions[shard];
  }

  /** Notes what was seen waiting, from the front on, at a read version. */
  void saw(int shard, List<QueuedTask> waiting, long readVersion) {
    versions[shard] = waiting.isEmpty() ? readVersion + 1 : waiting.get(0).queuedVersion();
  }
}
