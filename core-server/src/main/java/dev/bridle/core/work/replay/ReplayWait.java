package dev.bridle.core.work.replay;

import dev.bridle.core.work.task.TaskChange;

/**
 * Bounds how long replays wait for a worker that runs their handler, each time that they are
 * queued. The wait ends when the replay leaves the queue, whatever the reason.
 */
public final class ReplayWait {
  private final ReplayOptions options;

  public ReplayWait(ReplayOptions options) {
    this.options = options;
  }

  /** Begins the wait of a task that was queued, if it is a replay whose handler is to run. */
  public void begin(TaskChange change) {
    if (HandlerReplays.is(change.record())) {
      change.waitAtMost(options.workerWait());
    }
  }
}
