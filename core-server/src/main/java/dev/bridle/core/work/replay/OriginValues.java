package dev.bridle.core.work.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.EventReader;
import dev.bridle.core.work.task.RecordedValues;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.worker.v1.CheckRecordedValuesResponse;
import dev.bridle.worker.v1.WrongRecordedValue;
import java.util.Optional;

/**
 * Holds the recorded values of what a replay goes back to against their commitments, and these
 * against the events that recorded them: a value that somebody has changed could have another
 * commitment beside it, but the log is proven by a receipt (section "Replay contract").
 */
public final class OriginValues {
  private final TaskStore tasks;
  private final Steps steps;
  private final EventLog log;
  private final EventReader events;

  /** Creates the checks of a core. */
  public OriginValues(CoreContext context, TaskStore tasks) {
    this.tasks = tasks;
    this.steps = new Steps(new StepStore(context.layout()));
    this.log = context.log();
    this.events = new EventReader(context.log());
  }

  /**
   * Checks a page of steps. {@code resource_not_found} for a task that the replay is not about.
   *
   * @param source the id of the task whose steps they are
   */
  public CheckRecordedValuesResponse check(
      ReadTransaction tr, String tenant, TaskRecord replay, String source, String afterKey) {
    if (!isAbout(tr, tenant, replay, source)) {
      throw ProtocolException.notFound("task", source).blaming("source_task_id");
    }
    Steps.Page page = steps.page(tr, tenant, source, afterKey);
    CheckRecordedValuesResponse.Builder response =
        CheckRecordedValuesResponse.newBuilder().setHasMore(page.hasMore());
    for (StepRecord record : page.records()) {
      response.setLastStepKey(record.getStep().getStepKey());
      wrong(tr, tenant, source, record).ifPresent(response::addWrong);
    }
    return response.build();
  }

  private boolean isAbout(ReadTransaction tr, String tenant, TaskRecord replay, String source) {
    TaskReplay about = replay.getTask().getReplay();
    return about.hasSourceSessionId()
        ? tasks
            .find(tr, tenant, source)
            .filter(task -> task.getTask().getSessionId().equals(about.getSourceSessionId()))
            .isPresent()
        : !source.isEmpty() && about.getOriginTaskId().equals(source);
  }

  /**
   * Returns what is wrong with a step of a task; empty if nothing is, or nothing can be compared.
   */
  Optional<WrongRecordedValue> wrong(
      ReadTransaction tr, String tenant, String source, StepRecord record) {
    if (record.getCommitment().isEmpty() || record.getSalt().isEmpty()) {
      return Optional.empty(); // Of an earlier release, or erased.
    }
    String committed = Commitment.spell(record.getCommitment());
    if (!RecordedValues.isCommitted(record)) {
      return Optional.of(wrong(record, committed, found(record)));
    }
    return record.getStep().hasValue()
        ? said(tr, tenant, source, record)
            .filter(inLog -> !inLog.equals(committed))
            .map(inLog -> wrong(record, inLog, committed))
        : Optional.empty();
  }

  private static String found(StepRecord record) {
    ByteString content =
        record.getHiddenPayload().isEmpty()
            ? record.getStep().getValue()
            : record.getHiddenPayload();
    return Commitment.spell(Commitment.of(record.getSalt().toByteArray(), content));
  }

  /** Returns the commitment that the log has of a value; empty where that is erased. */
  private Optional<String> said(
      ReadTransaction tr, String tenant, String source, StepRecord record) {
    return log.taskEventId(tr, tenant, source, record.getSequence())
        .flatMap(id -> events.find(tr, tenant, id))
        .filter(event -> event.record().getEvent().equals(EventKinds.DEPENDENCY_RECORDED))
        .flatMap(event -> payload(event.record()))
        .filter(payload -> payload.path("key").asText().equals(record.getStep().getStepKey()))
        .map(payload -> payload.path("commitment").asText());
  }

  private static Optional<JsonNode> payload(EventRecord event) {
    try {
      return event.getPayload().isEmpty()
          ? Optional.empty()
          : Optional.of(StrictJson.parse(event.getPayload().toByteArray()));
    } catch (InvalidJsonException e) {
      return Optional.empty(); // The replay of the log itself finds that.
    }
  }

  private static WrongRecordedValue wrong(StepRecord record, String committed, String found) {
    return WrongRecordedValue.newBuilder()
        .setStepKey(record.getStep().getStepKey())
        .setSequence(record.getSequence())
        .setCommitted(committed)
        .setFound(found)
        .build();
  }
}
