package dev.bridle.core.work.task;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import java.util.List;
import java.util.Optional;

/**
 * Stores the recorded steps of handlers. A handler may run more than once; each report is applied
 * once per task and step key, and later runs get the record of the first one.
 */
public final class Steps {
  private static final int STEPS_PER_PAGE = 200;

  private final StepStore store;

  public Steps(StepStore store) {
    this.store = store;
  }

  /** Returns a recorded step of a task. */
  public Optional<RecordedStep> find(
      ReadTransaction tr, String tenant, String task, String stepKey) {
    return store.find(tr, tenant, task, stepKey).map(bytes -> parse(bytes).getStep());
  }

  /** Returns the record of a task's step, with its internal members. */
  public Optional<StepRecord> findRecord(
      ReadTransaction tr, String tenant, String task, String stepKey) {
    return store.find(tr, tenant, task, stepKey).map(Steps::parse);
  }

  /** Returns a page of a task's steps in the order of their keys, bounded by rows and bytes. */
  public ListStepsResponse list(ReadTransaction tr, String tenant, String task, String afterKey) {
    Page page = page(tr, tenant, task, afterKey);
    ListStepsResponse.Builder steps = ListStepsResponse.newBuilder().setHasMore(page.hasMore());
    page.records().forEach(record -> steps.addSteps(record.getStep()));
    return steps.build();
  }

  /**
   * Some records of a task's steps, with their internal members.
   *
   * @param records in the order of their keys
   * @param hasMore whether there are more
   */
  public record Page(List<StepRecord> records, boolean hasMore) {
    /** Copies the list. */
    public Page {
      records = List.copyOf(records);
    }
  }

  /** Returns the page that {@link #list} lists, with the internal members of the records. */
  public Page page(ReadTransaction tr, String tenant, String task, String afterKey) {
    StepStore.Page page =
        store.list(tr, tenant, task, afterKey, STEPS_PER_PAGE, EventLog.PAGE_BYTES);
    return new Page(page.records().stream().map(Steps::parse).toList(), page.more());
  }

  /** Records a step that {@link #find} did not find. */
  public void insert(TaskChange change, StepRecord record) {
    change.recordStep();
    store.insert(
        change.write().tr(),
        change.write().tenant(),
        change.id(),
        record.getStep().getStepKey(),
        record.toByteArray());
  }

  /** Records a step, or updates it. */
  public void record(TaskChange change, RecordedStep step) {
    record(change, StepRecord.newBuilder().setStep(step).build());
  }

  /** Records a step with the internal members of its record. */
  public void record(TaskChange change, StepRecord record) {
    change.recordStep();
    store.record(
        change.write().tr(),
        change.write().tenant(),
        change.id(),
        record.getStep().getStepKey(),
        record.toByteArray());
  }

  private static StepRecord parse(byte[] bytes) {
    try {
      return StepRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored step is damaged", e);
    }
  }
}
