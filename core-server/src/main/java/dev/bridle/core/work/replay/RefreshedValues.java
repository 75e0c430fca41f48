package dev.bridle.core.work.replay;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.work.report.Reports;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.record.v1.ReplacedValue;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.storage.layer.EventId;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.StepReport;
import java.util.Optional;

/** Values that the handler of a replay computes anew, since its request wants that. */
final class RefreshedValues {
  /** Of one value; a replay computes ten at most. */
  private static final int MOST_BYTES = 100 << 10;

  private RefreshedValues() {}

  /**
   * Returns the step of the replay that takes the place of a recorded one; its event is the next
   * one.
   *
   * @param recorded the step of the origin
   * @param report the new value
   * @param event the event of the recorded step
   */
  static StepRecord replacing(
      TaskChange change, StepRecord recorded, StepReport report, Optional<EventId> event) {
    ByteString value = report.getDependency().getValue();
    if (value.size() > MOST_BYTES) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
              "A value that a replay computes anew is too large.")
          .with("step_key", report.getStepKey())
          .with("max_bytes", MOST_BYTES);
    }
    ReplacedValue.Builder replaced =
        ReplacedValue.newBuilder()
            .setKind(kind(report.getStepKey()))
            .setEventId(event.map(EventId::toString).orElse(""))
            .setBefore(recorded.getCommitment())
            .setRefreshed(true);
    // Nobody has chosen the value, so its hash could say what it is; a redaction takes the salt.
    if (!recorded.getSalt().isEmpty()) {
      replaced.setAfter(Commitment.of(recorded.getSalt().toByteArray(), value));
    }
    return StepRecord.newBuilder()
        .setStep(RecordedStep.newBuilder().setStepKey(report.getStepKey()).setValue(value))
        .setSalt(ByteString.copyFrom(change.write().salt(Commitment.SALT_BYTES)))
        .setVisibility(
            recorded.getVisibility() == Visibility.VISIBILITY_UNSPECIFIED
                ? Visibility.VISIBILITY_RECEIPT_ONLY
                : recorded.getVisibility())
        .setKind(recorded.getKind())
        .setRequestHash(Reports.hash(report))
        .setSequence(change.record().getNextSequence())
        .setFence(change.record().getLease().getFence())
        .setReplaced(replaced)
        .build();
  }

  private static ReplayOverrideKind kind(String key) {
    return switch (OverrideRules.prefix(key)) {
      case "llm" -> ReplayOverrideKind.REPLAY_OVERRIDE_KIND_LLM_PROVIDER_RESPONSE;
      case "mcp" -> ReplayOverrideKind.REPLAY_OVERRIDE_KIND_MCP_TOOL_RETURN;
      case "time" -> ReplayOverrideKind.REPLAY_OVERRIDE_KIND_TIME;
      default -> ReplayOverrideKind.REPLAY_OVERRIDE_KIND_HOST_FACT;
    };
  }
}
