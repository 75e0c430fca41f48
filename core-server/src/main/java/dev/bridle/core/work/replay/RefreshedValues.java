package dev.bridle.core.work.replay;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.work.report.Reports;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.record.v1.ReplacedValue;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.storage.layer.EventId;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.StepReport;
import java.util.Optional;

/** Values that the handler of a replay computes anew, since its request wants that. */
final class RefreshedValues {
  private RefreshedValues() {}

  /**
   * Returns the step of the replay that takes the place of a recorded one.
   *
   * @param recorded the step of the origin
   * @param report the new value
   * @param event the event of the recorded step
   */
  static StepRecord replacing(
      TaskChange change, StepRecord recorded, StepReport report, Optional<EventId> event) {
    ByteString value = report.getDependency().getValue();
    return StepRecord.newBuilder()
        .setStep(RecordedStep.newBuilder().setStepKey(report.getStepKey()).setValue(value))
        .setSalt(ByteString.copyFrom(change.write().salt(Commitment.SALT_BYTES)))
        .setVisibility(
            recorded.getVisibility() == Visibility.VISIBILITY_UNSPECIFIED
                ? Visibility.VISIBILITY_RECEIPT_ONLY
                : recorded.getVisibility())
        .setKind(recorded.getKind())
        .setRequestHash(Reports.hash(report))
        .setReplaced(
            ReplacedValue.newBuilder()
                .setKind(kind(report.getStepKey()))
                .setEventId(event.map(EventId::toString).orElse(""))
                .setBefore(recorded.getCommitment())
                .setAfter(ByteString.copyFrom(hash(report.getStepKey(), value).bytes()))
                .setRefreshed(true))
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

  private static Sha256 hash(String key, ByteString value) {
    try {
      return Sha256.of(CanonicalJson.bytes(StrictJson.parse(value.toByteArray())));
    } catch (InvalidJsonException e) {
      throw ProtocolException.invalid(
          "reports",
          "has a value of `" + key + "` without a canonical form (RFC 8785): " + e.getMessage());
    }
  }
}
