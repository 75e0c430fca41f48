package dev.bridle.core.work.redaction;

import com.google.protobuf.util.Timestamps;
import dev.bridle.record.v1.RedactionRecord;
import dev.bridle.redaction.v1.RedactionStatus;

/** How far the erasure of copies is. */
final class Progress {
  private Progress() {}

  /** Returns a redaction whose last copy was erased at a time, in Unix milliseconds. */
  static RedactionRecord done(RedactionRecord record, long millis) {
    RedactionRecord.Builder done = record.toBuilder().clearDueAt().clearStage().clearCursor();
    done.getRedactionBuilder()
        .setStatus(RedactionStatus.REDACTION_STATUS_DONE)
        .setUpdatedAt(Timestamps.fromMillis(millis))
        .setCompletedAt(Timestamps.fromMillis(millis));
    return done.build();
  }
}
