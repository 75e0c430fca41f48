package dev.bridle.core.work.task;

import dev.bridle.record.v1.OutcomeRecord;
import java.util.Optional;

/** Issues the receipts of ended tasks, in the transaction of the end. */
public interface EndReceipts {
  /**
   * Decides whether a task that is about to end gets a receipt now, and returns the receipt's id,
   * which the task, its outcome and its terminal event name.
   */
  Optional<String> announce(TaskChange change);

  /**
   * Stores what {@link #announce} has decided. Called once the task has its terminal state; the
   * terminal event is the newest one of the change.
   *
   * @param receiptId what {@link #announce} returned
   */
  void issue(TaskChange change, OutcomeRecord outcome, Optional<String> receiptId);
}
