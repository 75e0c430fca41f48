package dev.bridle.worker;

/**
 * Thrown in a handler that must stop. A handler should release its resources and let it propagate;
 * if it catches it, each later call of its context throws it again, and the handler's result is not
 * reported to the core.
 */
public final class TaskCancelled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why the handler must stop. */
  public enum Reason {
    /**
     * The task's cancellation was requested. The worker acknowledges it to the core when the
     * handler has ended.
     */
    CANCEL_REQUESTED,
    /**
     * The lease has ended, and another worker may already run the task. Nothing more is reported.
     */
    LEASE_LOST,
    /** The worker is closing and its grace time has ended. The task returns to the queue. */
    WORKER_CLOSING
  }

  private final Reason reason;

  TaskCancelled(Reason reason) {
    super("the handler must stop: " + reason);
    this.reason = reason;
  }

  /** Returns the reason. */
  public Reason reason() {
    return reason;
  }
}
