package dev.bridle.core.work.task;

/** Notified of cancellations of tasks that a worker holds. */
@FunctionalInterface
public interface CancelListener {
  /** Called when the cancellation of a leased task was requested, once the request is durable. */
  void cancelRequested(String tenant, String task);
}
