package dev.bridle.core.work.replay;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.ErasedPayload;
import dev.bridle.core.kernel.visibility.Viewer;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.task.Steps;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.ReplacedValue;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.worker.v1.RecordedStep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds what the overrides of a request replace (replay contract, section "Override keys"). The
 * values become steps of the replay, under the keys of what they replace, so that they are erased
 * with it.
 */
final class ReplayOverrides {
  private static final int MOST_BYTES = 1 << 20;

  private final Steps steps;
  private final EventLog log;
  private final ArtifactStore artifacts;

  ReplayOverrides(CoreContext context) {
    this.steps = new Steps(new StepStore(context.layout()));
    this.log = context.log();
    this.artifacts = new ArtifactStore(context.layout(), new BlobStore(context.layout()));
  }

  /**
   * Returns the steps of a replay that replace steps of its origin, in the order of their keys:
   * those of the source, if that is such a replay itself, and those of the request, which win.
   *
   * @throws ProtocolException {@code invalid_request} for an override that replaces nothing, or
   *     does not fit what it replaces; {@code payload_too_large} for more than 1 MiB of values
   */
  List<StepRecord> of(
      Write write, TaskRecord source, TaskRecord origin, ReplayTaskRequest request) {
    Map<String, StepRecord> found = new TreeMap<>();
    for (String key : source.getTask().getReplay().getOverrideKeysList()) {
      found.put(key, inherited(write, source, key, request));
    }
    new TreeMap<>(request.getOverrideMap())
        .forEach((key, override) -> found.put(key, replaced(write, origin, key, override)));
    needRoom(found.values());
    return new ArrayList<>(found.values());
  }

  private StepRecord inherited(
      Write write, TaskRecord source, String key, ReplayTaskRequest request) {
    StepRecord record =
        steps
            .findRecord(write.tr(), write.tenant(), source.getTask().getId(), key)
            .orElseThrow(() -> new IllegalStateException("a replay lacks the step of an override"));
    if (!request.containsOverride(key) && ErasedPayload.isErased(record.getStep().getValue())) {
      throw ProtocolException.invalid(
          "override",
          "lacks `" + key + "`, which the replay has overridden, and whose value is redacted");
    }
    return record.toBuilder().clearSequence().clearFence().build();
  }

  private StepRecord replaced(Write write, TaskRecord origin, String key, ReplayOverride override) {
    OverrideRules.check(key, override);
    StepRecord recorded =
        steps
            .findRecord(write.tr(), write.tenant(), origin.getTask().getId(), key)
            .filter(record -> record.getStep().hasValue())
            .orElseThrow(
                () ->
                    ProtocolException.invalid(
                        "override",
                        "names `" + key + "`, and the task has recorded no such value"));
    String event = event(write, origin, recorded);
    if (override.hasEventId() && !override.getEventId().equals(event)) {
      throw ProtocolException.invalid(
          OverrideRules.member(key, "event_id"),
          "is not the event that recorded the value" + (event.isEmpty() ? "" : ": " + event));
    }
    ByteString value =
        override.hasArtifactId() ? content(write, key, override) : override.getValue();
    Sha256 after = OverrideRules.hash(key, override, value.toByteArray());
    return StepRecord.newBuilder()
        .setStep(RecordedStep.newBuilder().setStepKey(key).setValue(value))
        .setVisibility(
            override.getVisibility() == Visibility.VISIBILITY_UNSPECIFIED
                ? Visibility.VISIBILITY_RECEIPT_ONLY
                : override.getVisibility())
        .setKind(recorded.getKind())
        .setReplaced(
            ReplacedValue.newBuilder()
                .setKind(override.getKind())
                .setEventId(event)
                .setBefore(recorded.getCommitment())
                .setAfter(ByteString.copyFrom(after.bytes()))
                .setArtifactId(override.getArtifactId())
                .setReason(override.getReason()))
        .build();
  }

  private String event(Write write, TaskRecord origin, StepRecord recorded) {
    return recorded.getCommitment().isEmpty()
        ? ""
        : log.taskEventId(
                write.tr(), write.tenant(), origin.getTask().getId(), recorded.getSequence())
            .map(EventId::toString)
            .orElse("");
  }

  private ByteString content(Write write, String key, ReplayOverride override) {
    Caller caller = Caller.current();
    Artifact artifact = artifacts.need(write.tr(), caller, override.getArtifactId());
    if (!Viewer.of(caller).sees(artifact.getVisibility())) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The credential does not see the content of the artifact.")
          .with("artifact_id", artifact.getId());
    }
    return artifacts
        .content(write.tr(), caller, artifact.getId(), MOST_BYTES)
        .orElseThrow(
            () ->
                ProtocolException.invalid(
                    OverrideRules.member(key, "artifact_id"),
                    "must have content of at most " + MOST_BYTES + " bytes"));
  }

  private static void needRoom(Collection<StepRecord> found) {
    long bytes = found.stream().mapToLong(record -> record.getStep().getValue().size()).sum();
    if (bytes > MOST_BYTES) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "The values of the overrides are too large.")
          .with("bytes", bytes)
          .with("max_bytes", MOST_BYTES)
          .blaming("override");
    }
  }
}
