package dev.bridle.worker;

import dev.bridle.worker.v1.ReplayedRun;
import dev.bridle.worker.v1.ReplayedStep;

/**
 * The part of a recorded run up to the checkpoint that a replay begins at, if it does: what a run
 * does there is not compared. Not thread-safe.
 */
final class RestoredPart {
  private final long end;
  private boolean isPassed;

  RestoredPart(ReplayedRun run) {
    this.end = run.hasFromSequence() ? run.getFromSequence() : -1;
  }

  /** Notes that a run has taken a step: the checkpoint's own, or a later one, ends the part. */
  void taken(ReplayedStep step) {
    isPassed |= end >= 0 && step.getSequence() >= end;
  }

  /** Returns whether a step was recorded up to the checkpoint. */
  boolean isUpTo(ReplayedStep step) {
    return step.getSequence() <= end;
  }

  /** Returns whether a step is taken as it was recorded; beyond the checkpoint none is. */
  boolean has(ReplayedStep step) {
    return isUpTo(step) && (!isPassed || step.getSequence() == end);
  }
}
