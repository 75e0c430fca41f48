package dev.bridle.core.work.replay;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.validate.FreeFormJson;
import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.CompleteTaskRequest;
import java.util.List;
import java.util.Optional;

/** Compares how the handler of a replay ends with how that of its origin ended. */
public final class OriginEnd {
  private static final String FINAL_STATE = "final_state";

  /** The code of tasks whose attempts all ended early, the last one by the code in the details. */
  private static final String EXHAUSTED = "attempts_exhausted";

  /** The code with which the SDK reports an exception, whose text may be of the moment. */
  private static final String HANDLER_ERROR = "handler_error";

  private static final String QUOTA_EXCEEDED = "quota_exceeded";

  private final OutcomeStore outcomes;
  private final MessageStore messages;

  /** Creates the comparison of a core. */
  public OriginEnd(CoreContext context) {
    this.outcomes = new OutcomeStore(context.layout());
    this.messages = new MessageStore(context.layout());
  }

  /**
   * Returns whether a task's last run was stopped, by a cancellation or by the server, so that its
   * handler did not say how the task ended.
   */
  static boolean wasStopped(TaskRecord origin) {
    Task task = origin.getTask();
    boolean ended =
        origin.getEndedByFence() != 0
            && origin.getEndedByFence() == origin.getLease().getFence()
            && !isQuotas(task.getFailure());
    return task.getStatus() != TaskStatus.TASK_STATUS_COMPLETED
        && !(task.getStatus() == TaskStatus.TASK_STATUS_FAILED && ended);
  }

  /** The server names the quota, which a handler's own failure of that code does not. */
  private static boolean isQuotas(Failure failure) {
    return failure.getCode().equals(QUOTA_EXCEEDED)
        && FreeFormJson.text(failure.getDetails(), "quota_id").isPresent();
  }

  /** Returns what differs if the handler completes the task; empty if nothing does. */
  public Optional<String> difference(
      ReadTransaction tr, String tenant, TaskRecord origin, CompleteTaskRequest end) {
    if (wasStopped(origin)) {
      return Optional.empty();
    }
    if (origin.getTask().getStatus() != TaskStatus.TASK_STATUS_COMPLETED) {
      return Optional.of(FINAL_STATE);
    }
    return outcomes
        .records()
        .get(tr, tenant, origin.getTask().getOutcomeId())
        .flatMap(record -> difference(tr, tenant, record, end));
  }

  private Optional<String> difference(
      ReadTransaction tr, String tenant, OutcomeRecord record, CompleteTaskRequest end) {
    if (!record.getArtifactIdsList().equals(end.getArtifactIdsList())) {
      return Optional.of("artifacts");
    }
    if (record.getOutcome().getSummary().equals(Redactions.REDACTED)) {
      return Optional.empty(); // What the handler said of it is erased.
    }
    if (!record.getOutcome().getSummary().equals(end.getSummary())) {
      return Optional.of("summary");
    }
    if (!same(record.getOutcome().getCost(), end.getCost())) {
      return Optional.of("cost");
    }
    if (!same(record.getOutcome().getMetrics(), end.getMetrics())) {
      return Optional.of("metrics");
    }
    List<Message> said =
        record.getMessageIdsList().stream()
            .flatMap(id -> messages.find(tr, tenant, id).stream())
            .toList();
    boolean sameMessage =
        end.hasMessage()
            ? (said.size() == 1
                && same(said.get(0).getPartsList(), end.getMessage().getPartsList()))
            : record.getMessageIdsCount() == 0;
    return sameMessage ? Optional.empty() : Optional.of("message");
  }

  private static boolean same(ByteString recorded, ByteString found) {
    return (recorded.isEmpty() || found.isEmpty())
        ? recorded.equals(found)
        : FreeFormJson.canonical(recorded.toByteArray())
            .equals(FreeFormJson.canonical(found.toByteArray()));
  }

  private static boolean same(List<Part> recorded, List<Part> found) {
    return Redactions.isErased(recorded)
        || recorded.stream().map(OriginEnd::said).toList().equals(found);
  }

  private static Part said(Part recorded) {
    return recorded.toBuilder().clearCommitment().build();
  }

  /** Returns what differs if the handler fails the task; empty if nothing does. */
  public Optional<String> difference(TaskRecord origin, Failure end) {
    if (wasStopped(origin)) {
      return Optional.empty();
    }
    Task task = origin.getTask();
    if (task.getStatus() != TaskStatus.TASK_STATUS_FAILED) {
      return Optional.of(FINAL_STATE);
    }
    Failure failed = task.getFailure();
    if (failed.getCode().equals(EXHAUSTED)) {
      return same("code", lastReason(failed), end.getCode());
    }
    boolean isTextKept =
        !failed.getCode().equals(HANDLER_ERROR) && !failed.getMessage().equals(Redactions.REDACTED);
    return same("code", failed.getCode(), end.getCode())
        .or(
            () ->
                isTextKept
                    ? same("failure", failed.getMessage(), end.getMessage())
                    : Optional.empty());
  }

  private static String lastReason(Failure exhausted) {
    return FreeFormJson.text(exhausted.getDetails(), "last_reason").orElse("");
  }

  private static Optional<String> same(String what, String recorded, String found) {
    return recorded.equals(found) ? Optional.empty() : Optional.of(what);
  }
}
