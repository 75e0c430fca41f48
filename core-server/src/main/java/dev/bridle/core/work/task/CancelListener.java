package dev.bridle.core.work.task;

/** Is called for cancellations that a worker must be notified of. */
@FunctionalInterface
public interface CancelListener {
  /** A task's cancellation was requested while a worker holds it. Called once it is durable. */
  void cancelRequested(String tenant, String task);
}
