package dev.bridle.worker.replay;

/** Ends a run of a handler as a crash would, which no handler catches. */
final class RunInterrupted extends Error {
  private static final long serialVersionUID = 1L;

  RunInterrupted() {
    super("The run was interrupted, as it was asked for.");
  }
}
