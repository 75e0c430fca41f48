package dev.bridle.core.work.task;

import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.worker.v1.RecordedStep;

/** Whether recorded values are those that were committed to when they were recorded. */
public final class RecordedValues {
  private RecordedValues() {}

  /**
   * Returns whether a step's value is the one of its commitment. Steps without a value or a
   * commitment have nothing to compare, and neither have erased ones, which lack the salt.
   */
  public static boolean isCommitted(StepRecord record) {
    return record.getStep().getResultCase() != RecordedStep.ResultCase.VALUE
        || record.getCommitment().isEmpty()
        || record.getSalt().isEmpty()
        || Commitment.of(record.getSalt().toByteArray(), record.getStep().getValue())
            .equals(record.getCommitment());
  }
}
