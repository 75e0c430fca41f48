package dev.bridle.core.work.task;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.ErasedPayload;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.worker.v1.RecordedStep;

/** Whether recorded values are those that were committed to when they were recorded. */
public final class RecordedValues {
  private RecordedValues() {}

  /**
   * Returns whether what a step holds is what it has the commitments of: its value, the payload of
   * an event that is not public, and the hidden parts of messages. Steps without a commitment have
   * nothing to compare, and neither has what a redaction has left of erased ones, without the salt.
   */
  public static boolean isCommitted(StepRecord record) {
    RecordedStep step = record.getStep();
    boolean isPayload =
        record.getHiddenPayload().isEmpty() || isCommitted(record, record.getHiddenPayload());
    return isPayload
        && switch (step.getResultCase()) {
          case VALUE -> isCommitted(record, step.getValue());
          case MESSAGE -> HiddenContent.isCommitted(step.getMessage());
          case ANSWER -> HiddenContent.isCommitted(step.getAnswer());
          default -> true;
        };
  }

  private static boolean isCommitted(StepRecord record, ByteString content) {
    return record.getCommitment().isEmpty()
        || (record.getSalt().isEmpty()
            ? ErasedPayload.isErased(content)
            : Commitment.of(record.getSalt().toByteArray(), content)
                .equals(record.getCommitment()));
  }
}
