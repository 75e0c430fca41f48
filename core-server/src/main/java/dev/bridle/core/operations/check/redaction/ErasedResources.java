package dev.bridle.core.operations.check.redaction;

import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.core.operations.check.log.LogRows;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.GrantStore;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.redaction.ErasedContent;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.worker.v1.RecordedStep;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Says what is left of redacted content. Erasing it once more would change nothing, where nothing
 * is left.
 */
final class ErasedResources {
  private static final String LEFT = "is still stored.";

  private final Records records;
  private final LogRows log;
  private final RemainsOfTask remains;

  ErasedResources(CheckScope scope) {
    this.records = new Records(scope.rows(), scope.tenant());
    this.log = new LogRows(scope);
    this.remains = new RemainsOfTask(scope);
  }

  /** Returns what is left of a resource's content; empty if it is all gone. */
  Optional<String> left(ReadTransaction tr, RedactedResourceRecord mark) {
    ErasedContent erased = new ErasedContent(mark.getRedactionId());
    String id = mark.getId();
    return switch (mark.getObject()) {
      case RedactionStore.WHOLE_TASK -> wholeTask(tr, mark, erased);
      case RedactionStore.EVENT -> event(tr, mark, erased);
      case RedactionStore.MESSAGE ->
          records
              .find(tr, MessageStore.MESSAGE, id)
              .filter(message -> !erased.of(message).equals(message))
              .map(message -> LEFT)
              .or(() -> step(tr, mark, erased, step -> messageOf(step).equals(id)))
              .or(() -> isDone(tr, mark) ? remains.copy(mark, erased) : Optional.empty());
      case RedactionStore.ARTIFACT ->
          records
              .find(tr, ArtifactStore.ARTIFACT, id)
              .filter(
                  record ->
                      !Redactions.isErased(record.getArtifact())
                          || record.getArtifact().hasSha256()
                          || record.getArtifact().hasUri()
                          || record.getArtifact().hasCommitment()
                          || !record.getBlobId().isEmpty())
              .map(record -> LEFT)
              .or(() -> step(tr, mark, erased, step -> step.getArtifact().getId().equals(id)));
      case RedactionStore.TASK ->
          records
              .find(tr, TaskStore.TASK_INPUT, id)
              .filter(input -> !erased.of(input).equals(input))
              .map(input -> "its input is still stored.")
              .or(
                  () ->
                      records
                          .find(tr, TaskStore.TASK, id)
                          .map(TaskRecord::getTask)
                          .filter(task -> !erased.submission(task).equals(task))
                          .map(task -> "its metadata is still stored."));
      case RedactionStore.OUTCOME ->
          records
              .find(tr, OutcomeStore.OUTCOME, id)
              .filter(record -> !erased.of(record.getOutcome()).equals(record.getOutcome()))
              .map(record -> LEFT)
              .or(() -> end(tr, mark, erased));
      case RedactionStore.PERMISSION_REQUEST ->
          records
              .find(tr, PermissionStore.PERMISSION, id)
              .filter(record -> !erased.of(record.getRequest()).equals(record.getRequest()))
              .map(record -> LEFT)
              .or(
                  () ->
                      step(
                          tr,
                          mark,
                          erased,
                          step -> step.getPermission().getRequestId().equals(id)));
      case RedactionStore.PERMISSION_GRANT ->
          records
              .find(tr, GrantStore.PERMISSION_GRANT, id)
              .filter(record -> !erased.of(record.getGrant()).equals(record.getGrant()))
              .map(record -> LEFT);
      default -> Optional.of("nothing of that kind can be redacted.");
    };
  }

  private static String messageOf(RecordedStep step) {
    return step.hasAnswer() ? step.getAnswer().getId() : step.getMessage().getId();
  }

  private Optional<String> end(
      ReadTransaction tr, RedactedResourceRecord mark, ErasedContent erased) {
    return records
        .find(tr, TaskStore.TASK, mark.getTaskId())
        .filter(
            record ->
                !record.getCancelReason().isEmpty()
                    || !erased.end(record.getTask()).equals(record.getTask()))
        .map(record -> "the end of its task still says it.");
  }

  private Optional<String> event(
      ReadTransaction tr, RedactedResourceRecord mark, ErasedContent erased) {
    Optional<EventRecord> event =
        EventId.parse(mark.getId())
            .map(id -> log.body(mark.getStream(), id))
            .flatMap(key -> tr.get(key).flatMap(first -> log.parse(tr, key, first)));
    if (event.isEmpty()) {
      return Optional.empty(); // Dropped by retention.
    }
    EventRecord is = event.get();
    if (!is.getPayload().isEmpty() || !is.getSalt().isEmpty()) {
      return Optional.of("its payload or salt is still stored.");
    }
    return is.getTaskId().isEmpty()
        ? Optional.empty()
        : find(
                tr,
                mark,
                record -> record.getSequence() != 0 && record.getSequence() == is.getSequence())
            .flatMap(record -> left(record, erased));
  }

  /** Everything of a task is erased once its redaction is done. */
  private Optional<String> wholeTask(
      ReadTransaction tr, RedactedResourceRecord mark, ErasedContent erased) {
    return isDone(tr, mark)
        ? remains.event(mark).or(() -> remains.step(mark, record -> left(record, erased)))
        : Optional.empty();
  }

  private Optional<String> step(
      ReadTransaction tr,
      RedactedResourceRecord mark,
      ErasedContent erased,
      Predicate<RecordedStep> which) {
    return mark.getTaskId().isEmpty()
        ? Optional.empty()
        : find(tr, mark, record -> which.test(record.getStep()))
            .flatMap(record -> left(record, erased));
  }

  private boolean isDone(ReadTransaction tr, RedactedResourceRecord mark) {
    return records
        .find(tr, RedactionStore.REDACTION, mark.getRedactionId())
        .filter(redaction -> redaction.getDueAt() == 0)
        .isPresent();
  }

  /** Whether the steps of a mark's task are all checked with the task. */
  private boolean isWhole(ReadTransaction tr, RedactedResourceRecord mark) {
    return records
        .find(
            tr,
            RedactionStore.REDACTED_RESOURCE,
            RedactionStore.idOf(RedactionStore.WHOLE_TASK, mark.getTaskId()))
        .isPresent();
  }

  private static Optional<String> left(StepRecord record, ErasedContent erased) {
    StepRecord again = erased.of(record);
    OptionalLong unknown = OptionalLong.empty();
    boolean same =
        again.equals(record)
            || (record.getStep().hasArtifact()
                && erased
                    .of(record.getStep().getArtifact(), unknown)
                    .equals(record.getStep().getArtifact()));
    return same
        ? Optional.empty()
        : Optional.of("the step '" + record.getStep().getStepKey() + "' still has it.");
  }

  private Optional<StepRecord> find(
      ReadTransaction tr, RedactedResourceRecord mark, Predicate<StepRecord> which) {
    return isWhole(tr, mark)
        ? Optional.empty()
        : remains.step(mark, record -> Optional.of(record).filter(which));
  }
}
