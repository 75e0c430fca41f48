package dev.bridle.core.work.task;

/** Notified of messages of the user to tasks that a worker holds. */
@FunctionalInterface
public interface MessageListener {
  /** Called when a message may wait for the worker of a task, once it is durable. */
  void messageSent(String tenant, String task);
}
