package dev.bridle.core.work.task;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.outcome.v1.OutcomeStatus;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.task.v1.TaskStatus;
import java.util.List;
import java.util.Optional;

/**
 * Ends tasks: outcome, lease, queue entry, the terminal event, which is the last of its task, and
 * the receipt (protocol sections "Outcome" and "Receipt"). The cost does not depend on the length
 * of the task's log.
 */
public final class TaskEndings {
  private final OutcomeStore outcomes;
  private final List<TaskEndListener> listeners;
  private final EndReceipts receipts;

  /**
   * Creates the endings of tasks.
   *
   * @param outcomes stores outcomes
   * @param listeners called for each ending, in this order
   * @param receipts issues receipts
   */
  public TaskEndings(OutcomeStore outcomes, List<TaskEndListener> listeners, EndReceipts receipts) {
    this.outcomes = outcomes;
    this.listeners = List.copyOf(listeners);
    this.receipts = receipts;
  }

  /**
   * The result of a task that succeeded.
   *
   * @param summary the result in a sentence or two
   * @param messageIds messages that belong to it
   * @param artifactIds artifacts that belong to it
   * @param cost its cost, as JSON; empty: not reported
   * @param metrics its metrics, as JSON; empty: not reported
   */
  public record Result(
      String summary,
      List<String> messageIds,
      List<String> artifactIds,
      ByteString cost,
      ByteString metrics) {
    /** Copies the lists. */
    public Result {
      messageIds = List.copyOf(messageIds);
      artifactIds = List.copyOf(artifactIds);
    }
  }

  /** Completes a task. */
  public void complete(TaskChange change, Result result) {
    OutcomeRecord.Builder outcome =
        begin(change, OutcomeStatus.OUTCOME_STATUS_SUCCEEDED, result.summary());
    outcome.getOutcomeBuilder().setCost(result.cost()).setMetrics(result.metrics());
    outcome.addAllMessageIds(result.messageIds()).addAllArtifactIds(result.artifactIds());
    end(
        change,
        TaskStatus.TASK_STATUS_COMPLETED,
        outcome,
        Payload.of().text("summary", result.summary()));
  }

  /** Ends a replay that found no difference as its origin ended. */
  public void endAsOrigin(TaskChange change, Result result) {
    TaskReplay replay = change.task().getReplay();
    switch (replay.getOriginStatus()) {
      case TASK_STATUS_COMPLETED -> complete(change, result);
      case TASK_STATUS_CANCELED -> cancel(change);
      default ->
          fail(
              change,
              Failure.newBuilder()
                  .setCode(replay.getOriginFailureCode())
                  .setMessage("The replayed task failed with this code, and so does its replay.")
                  .build());
    }
  }

  /** Fails a task. */
  public void fail(TaskChange change, Failure failure) {
    OutcomeRecord.Builder outcome =
        begin(change, OutcomeStatus.OUTCOME_STATUS_FAILED, failure.getMessage());
    outcome.getOutcomeBuilder().setFailure(failure);
    change.failWith(failure);
    end(
        change,
        TaskStatus.TASK_STATUS_FAILED,
        outcome,
        Payload.of()
            .json(
                "failure",
                Payload.of()
                    .text("code", failure.getCode())
                    .text("message", failure.getMessage())
                    .json("details", failure.getDetails())
                    .json()));
  }

  /** Cancels a task. A lease that is still held is fenced off by this. */
  public void cancel(TaskChange change) {
    String reason = change.record().getCancelReason();
    String summary = reason.isEmpty() ? "Canceled." : "Canceled: " + reason;
    OutcomeRecord.Builder outcome = begin(change, OutcomeStatus.OUTCOME_STATUS_CANCELED, summary);
    end(change, TaskStatus.TASK_STATUS_CANCELED, outcome, Payload.of().text("reason", reason));
  }

  /**
   * Withdraws what a task waits for whose process works on, and gives the lease back to its worker,
   * which is to stop it.
   */
  void withdrawQuestion(TaskChange change) {
    listeners.forEach(listener -> listener.onTaskEnd(change));
    change.waits().closeQuestion();
    change.move(TaskStatus.TASK_STATUS_WORKING, Payload.of());
    change.takeUpLease();
  }

  private static OutcomeRecord.Builder begin(
      TaskChange change, OutcomeStatus status, String summary) {
    Write write = change.write();
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    return OutcomeRecord.newBuilder()
        .setWorkspaceId(change.task().getWorkspaceId())
        .setOutcome(
            Outcome.newBuilder()
                .setId(write.id("outcome"))
                .setCreatedAt(now)
                .setUpdatedAt(now)
                .setTaskId(change.id())
                .setStatus(status)
                .setSummary(summary));
  }

  private void end(
      TaskChange change, TaskStatus status, OutcomeRecord.Builder made, Payload facts) {
    Optional<String> receipt = receipts.announce(change);
    receipt.ifPresent(change::nameReceipt);
    receipt.ifPresent(made.getOutcomeBuilder()::setReceiptId);
    OutcomeRecord outcome = made.build();
    change.dequeue();
    change.freeLease();
    listeners.forEach(listener -> listener.onTaskEnd(change));
    change.waits().closeQuestion();
    outcomes.insert(change.write(), outcome);
    change.end(status, outcome.getOutcome().getId(), facts);
    receipts.issue(change, outcome, receipt);
  }
}
