package dev.bridle.worker;

/**
 * Why a handler must stop, by increasing priority. From RELEASED on, the worker does not hold the
 * lease.
 */
enum Stop {
  NONE,
  CLOSING,
  CANCEL,
  RELEASED,
  LOST;

  /** Throws what tells a handler to stop; nothing for NONE. */
  void raise() {
    switch (this) {
      case NONE -> {}
      case CLOSING -> throw new TaskCancelled(TaskCancelled.Reason.WORKER_CLOSING);
      case CANCEL -> throw new TaskCancelled(TaskCancelled.Reason.CANCEL_REQUESTED);
      case RELEASED -> throw new TaskSuspended();
      case LOST -> throw new TaskCancelled(TaskCancelled.Reason.LEASE_LOST);
    }
  }
}
