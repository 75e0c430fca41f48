package dev.bridle.core.work.report;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.worker.v1.DependencyKind;
import dev.bridle.worker.v1.DependencyReport;

/** Records values that handlers can't recompute: an event has their commitment only. */
final class Dependencies {
  private static final String KIND_PREFIX = "DEPENDENCY_KIND_";

  private Dependencies() {}

  static void add(TaskChange change, DependencyReport report, StepRecord.Builder record) {
    String key = record.getStep().getStepKey();
    if (report.getKind() == DependencyKind.DEPENDENCY_KIND_SECRET) {
      throw ProtocolException.invalid(
          "dependency.kind",
          "must not be SECRET, since a secret's value is never reported: UseSecret records its use");
    }
    String kind = kind(report.getKind());
    if (!kind.isEmpty() && !key.startsWith(kind + ":")) {
      throw ProtocolException.invalid(
          "step_key", "must begin with '" + kind + ":', the prefix of the dependency's kind");
    }
    byte[] salt = change.write().salt(Commitment.SALT_BYTES);
    ByteString commitment = Commitment.of(salt, report.getValue());
    change.emit(
        EventDraft.of(
            EventKinds.DEPENDENCY_RECORDED,
            Payload.of()
                .text("key", key)
                .text("commitment", Commitment.spell(commitment))
                .number("size", report.getValue().size())
                .text("kind", kind)
                .text("input_hash", report.getInputHash())));
    change.counts().addDependency();
    Materials.add(change, key, report, commitment);
    record
        .setSalt(ByteString.copyFrom(salt))
        .setCommitment(commitment)
        .setVisibility(report.getVisibility())
        .setKind(report.getKind())
        .setInputHash(report.getInputHash());
    record.getStepBuilder().setValue(report.getValue());
  }

  private static String kind(DependencyKind kind) {
    return kind == DependencyKind.DEPENDENCY_KIND_UNSPECIFIED
        ? ""
        : ReceiptParts.spell(kind, KIND_PREFIX);
  }
}
