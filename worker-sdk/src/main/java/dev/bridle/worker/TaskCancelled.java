package dev.bridle.worker;

/**
 * Ends a handler whose task is not its own any more. A handler lets it pass, releasing what it
 * holds; if it swallows it, every further call of its context throws it again and what the handler
 * returns is not told to the core.
 */
public final class TaskCancelled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why the handler must stop. */
  public enum Reason {
    /** The task's cancellation was asked for. The core is told once the handler has ended. */
    CANCEL_REQUESTED,
    /** The lease is over; another worker may run the task already. Nothing more is told. */
    LEASE_LOST,
    /** The worker closes and its grace time is over. The task goes back to the queue. */
    WORKER_CLOSING
  }

  private final Reason reason;

  TaskCancelled(Reason reason) {
    super("the handler must stop: " + reason);
    this.reason = reason;
  }

  /** Returns why. */
  public Reason reason() {
    return reason;
  }
}
