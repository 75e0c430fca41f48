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
import dev.bridle.task.v1.TaskStatus;
import java.util.List;

/**
 * Ends tasks: outcome, lease, queue entry and the terminal event, which is the last of its
 * transaction and its task (protocol section "Outcome"). Costs the same however long the task was.
 */
public final class TaskEndings {
  private final OutcomeStore outcomes;
  private final List<EndingPart> parts;

  /**
   * Ends tasks.
   *
   * @param outcomes keeps their outcomes
   * @param parts end with them, in this order
   */
  public TaskEndings(OutcomeStore outcomes, List<EndingPart> parts) {
    this.outcomes = outcomes;
    this.parts = List.copyOf(parts);
  }

  /**
   * What a task that went well left.
   *
   * @param summary the result in a sentence or two
   * @param messageIds messages that belong to it
   * @param artifactIds artifacts that belong to it
   * @param cost what it cost, as JSON; empty: not told
   * @param metrics what was measured, as JSON; empty: not told
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

  /** Ends a task well. */
  public void complete(TaskChange change, Result result) {
    OutcomeRecord.Builder outcome =
        begin(change, OutcomeStatus.OUTCOME_STATUS_SUCCEEDED, result.summary());
    outcome.getOutcomeBuilder().setCost(result.cost()).setMetrics(result.metrics());
    outcome.addAllMessageIds(result.messageIds()).addAllArtifactIds(result.artifactIds());
    end(
        change,
        TaskStatus.TASK_STATUS_COMPLETED,
        outcome.build(),
        Payload.of().text("summary", result.summary()));
  }

  /** Ends a task badly. */
  public void fail(TaskChange change, Failure failure) {
    OutcomeRecord.Builder outcome =
        begin(change, OutcomeStatus.OUTCOME_STATUS_FAILED, failure.getMessage());
    outcome.getOutcomeBuilder().setFailure(failure);
    change.failWith(failure);
    end(
        change,
        TaskStatus.TASK_STATUS_FAILED,
        outcome.build(),
        Payload.of()
            .json(
                "failure",
                Payload.of()
                    .text("code", failure.getCode())
                    .text("message", failure.getMessage())
                    .json("details", failure.getDetails())
                    .json()));
  }

  /**
   * Ends a task by cancellation. Nothing of it may run any more, or its lease is fenced off by
   * this.
   */
  public void cancel(TaskChange change) {
    String reason = change.record().getCancelReason();
    String summary = reason.isEmpty() ? "Canceled." : "Canceled: " + reason;
    OutcomeRecord.Builder outcome = begin(change, OutcomeStatus.OUTCOME_STATUS_CANCELED, summary);
    end(
        change,
        TaskStatus.TASK_STATUS_CANCELED,
        outcome.build(),
        Payload.of().text("reason", reason));
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

  private void end(TaskChange change, TaskStatus status, OutcomeRecord outcome, Payload facts) {
    change.dequeue();
    change.freeLease();
    parts.forEach(part -> part.taskEnds(change));
    change.closeQuestion();
    String id = outcome.getOutcome().getId();
    outcomes.insert(change.write(), outcome);
    change.end(status, id, facts);
  }
}
