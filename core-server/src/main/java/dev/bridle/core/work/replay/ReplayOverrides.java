package dev.bridle.core.work.replay;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.ErasedPayload;
import dev.bridle.core.kernel.visibility.HiddenContent;
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
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.worker.v1.RecordedStep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds what the overrides of a request replace (replay contract, section "Override keys"). The
 * values become steps of the replay, under the keys of what they replace, so that they are erased
 * with it.
 */
final class ReplayOverrides {
  private static final int MOST = 100;
  private static final int MOST_BYTES = 1 << 20;

  /** The segment's receipt has the reasons, and is an artifact of at most 1 MiB. */
  private static final int MOST_REASONS = 64 << 10;

  private static final String READ = "artifacts:read";

  private final Steps steps;
  private final EventLog log;
  private final ArtifactStore artifacts;
  private final SecretOverrides secrets;

  ReplayOverrides(CoreContext context) {
    this.steps = new Steps(new StepStore(context.layout()));
    this.secrets = new SecretOverrides(steps);
    this.log = context.log();
    this.artifacts = new ArtifactStore(context.layout(), new BlobStore(context.layout()));
  }

  /**
   * Returns the steps of a replay that replace steps of its origin, in the order of their keys:
   * those of the source, if that is such a replay itself, and those of the request, which win.
   *
   * @param replay what the replay is of, and where it begins
   * @throws ProtocolException {@code invalid_request} for an override that replaces nothing, or
   *     does not fit what it replaces; {@code payload_too_large} for more than 1 MiB of values
   */
  List<StepRecord> of(
      Write write,
      TaskRecord source,
      TaskRecord origin,
      TaskReplay replay,
      ReplayTaskRequest request) {
    Map<String, StepRecord> found = new TreeMap<>();
    for (String key : new TreeSet<>(request.getOverrideMap().keySet())) {
      StepRecord step = replaced(write, origin, key, request.getOverrideOrThrow(key));
      if (found.put(step.getStep().getStepKey(), step) != null) {
        throw ProtocolException.invalid(
            "override", "names `" + step.getStep().getStepKey() + "` twice");
      }
      needRoom(found.values());
    }
    for (String key : inherited(write, source)) {
      if (!found.containsKey(key) && !request.getRefreshList().contains(key)) {
        found.put(key, inherited(write, source, key));
        needRoom(found.values());
      }
    }
    if (found.size() + request.getRefreshCount() > MOST) {
      throw ProtocolException.invalid(
          "override",
          "must be at most "
              + MOST
              + ", with those of the replay that is replayed and what is computed anew");
    }
    needAfter(write, replay, found.keySet(), "override");
    return new ArrayList<>(found.values());
  }

  /**
   * Returns the keys of what the replay computes anew, in their order.
   *
   * @throws ProtocolException {@code invalid_request} for one that is no recorded value, is
   *     replaced as well, was recorded before the checkpoint, or within another such value
   */
  List<String> refreshed(Write write, TaskReplay replay, ReplayTaskRequest request) {
    Set<String> keys = new TreeSet<>(request.getRefreshList());
    for (String key : keys) {
      if (key.startsWith(RunSteps.RESERVED)) {
        throw ProtocolException.invalid(
            "refresh", "names `" + key + "`, and keys that begin so are those of replays");
      }
      if (request.containsOverride(key)) {
        throw ProtocolException.invalid(
            "refresh", "names `" + key + "`, for which there is an override");
      }
      boolean isValue =
          steps
              .findRecord(write.tr(), write.tenant(), replay.getOriginTaskId(), key)
              .filter(record -> record.getStep().hasValue())
              .isPresent();
      if (!isValue) {
        throw ProtocolException.invalid(
            "refresh", "names `" + key + "`, and the task has recorded no such value");
      }
    }
    needAfter(write, replay, keys, "refresh");
    needApart(write, replay, keys);
    return List.copyOf(keys);
  }

  /**
   * Rejects what was recorded within the computation of a value that is computed anew: a run after
   * a crash reads that value, and would not come to it.
   */
  private void needApart(Write write, TaskReplay replay, Set<String> refresh) {
    if (refresh.isEmpty()) {
      return;
    }
    Set<String> named = new TreeSet<>(refresh);
    named.addAll(replay.getOverrideKeysList());
    for (String key : named) {
      String parent = parent(write, replay, key);
      for (int i = 0; i < MOST && !parent.isEmpty(); i++) {
        if (refresh.contains(parent)) {
          throw ProtocolException.invalid(
              "refresh",
              "names `" + parent + "`, within whose computation `" + key + "` was recorded");
        }
        parent = parent(write, replay, parent);
      }
    }
  }

  private String parent(Write write, TaskReplay replay, String key) {
    return steps
        .findRecord(write.tr(), write.tenant(), replay.getOriginTaskId(), key)
        .map(step -> step.getStep().getParentStepKey())
        .orElse("");
  }

  /** Rejects what is recorded before the checkpoint that the replay begins at. */
  private void needAfter(Write write, TaskReplay replay, Set<String> keys, String param) {
    if (!replay.hasCheckpoint()) {
      return;
    }
    for (String key : keys) {
      steps
          .findRecord(write.tr(), write.tenant(), replay.getOriginTaskId(), key)
          .filter(step -> step.getSequence() <= replay.getCheckpoint().getSequence())
          .ifPresent(
              step -> {
                throw ProtocolException.invalid(
                    param,
                    "or the replay that is replayed names `"
                        + key
                        + "`, which was recorded before the checkpoint; replay "
                        + replay.getOriginTaskId()
                        + " instead");
              });
    }
  }

  /** What the source has computed anew is a value of it. It may not have come to that. */
  private List<String> inherited(Write write, TaskRecord source) {
    TaskReplay replay = source.getTask().getReplay();
    List<String> keys = new ArrayList<>(replay.getOverrideKeysList());
    for (String key : replay.getRefreshKeysList()) {
      if (steps.findRecord(write.tr(), write.tenant(), source.getTask().getId(), key).isPresent()) {
        keys.add(key);
      }
    }
    return keys;
  }

  private StepRecord inherited(Write write, TaskRecord source, String key) {
    StepRecord record =
        steps
            .findRecord(write.tr(), write.tenant(), source.getTask().getId(), key)
            .orElseThrow(() -> new IllegalStateException("a replay lacks the step of an override"));
    boolean isErased =
        record.getStep().hasSecret()
            ? record.getReplaced().getAfter().isEmpty()
            : record.getSalt().isEmpty() && ErasedPayload.isErased(record.getStep().getValue());
    if (isErased) {
      throw ProtocolException.invalid(
          "override",
          "lacks `" + key + "`, which the replay has replaced, and whose value is redacted");
    }
    StepRecord.Builder taken = record.toBuilder().clearSequence().clearFence().clearRequestHash();
    taken.getReplacedBuilder().clearRefreshed();
    return taken.build();
  }

  private StepRecord replaced(Write write, TaskRecord origin, String key, ReplayOverride override) {
    if (SecretOverrides.is(key, override)) {
      return secrets.replaced(
          write,
          origin,
          key,
          override,
          (named, used) -> event(write, origin, named, override, used));
    }
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
    String event = event(write, origin, key, override, recorded);
    Optional<Artifact> artifact =
        override.hasArtifactId() ? Optional.of(readable(write, override)) : Optional.empty();
    ByteString value =
        artifact.isPresent() ? content(write, key, artifact.get()) : override.getValue();
    Sha256 after = OverrideRules.hash(key, override, value.toByteArray());
    ReplacedValue.Builder replaces =
        ReplacedValue.newBuilder()
            .setKind(override.getKind())
            .setEventId(event)
            .setBefore(recorded.getCommitment())
            .setArtifactId(override.getArtifactId())
            .setReason(override.getReason());
    // What an artifact holds that is not public could be guessed from its hash.
    if (artifact.filter(from -> !HiddenContent.isPublic(from.getVisibility())).isEmpty()) {
      replaces.setAfter(ByteString.copyFrom(after.bytes()));
    }
    return StepRecord.newBuilder()
        .setStep(RecordedStep.newBuilder().setStepKey(key).setValue(value))
        .setSalt(ByteString.copyFrom(write.salt(Commitment.SALT_BYTES)))
        .setVisibility(
            override.getVisibility() == Visibility.VISIBILITY_UNSPECIFIED
                ? Visibility.VISIBILITY_RECEIPT_ONLY
                : override.getVisibility())
        .setKind(recorded.getKind())
        .setReplaced(replaces)
        .build();
  }

  /** Returns the event that recorded a value, which has to be the one that is named. */
  private String event(
      Write write, TaskRecord origin, String key, ReplayOverride override, StepRecord recorded) {
    String event = event(write, origin, recorded);
    if (override.hasEventId() && !override.getEventId().equals(event)) {
      throw ProtocolException.invalid(
          OverrideRules.member(key, "event_id"),
          "is not the event that recorded the value" + (event.isEmpty() ? "" : ": " + event));
    }
    return event;
  }

  private String event(Write write, TaskRecord origin, StepRecord recorded) {
    return recorded.getCommitment().isEmpty()
        ? ""
        : log.taskEventId(
                write.tr(), write.tenant(), origin.getTask().getId(), recorded.getSequence())
            .map(EventId::toString)
            .orElse("");
  }

  private Artifact readable(Write write, ReplayOverride override) {
    Caller caller = Caller.current();
    if (!caller.holds(READ)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The credential lacks the scope to read the artifact of an override.")
          .with("required_scope", READ);
    }
    Artifact artifact = artifacts.need(write.tr(), caller, override.getArtifactId());
    if (!Viewer.of(caller).sees(artifact.getVisibility())) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The credential does not see the content of the artifact.")
          .with("artifact_id", artifact.getId());
    }
    return artifact;
  }

  private ByteString content(Write write, String key, Artifact artifact) {
    return artifacts
        .content(write.tr(), Caller.current(), artifact.getId(), MOST_BYTES)
        .orElseThrow(
            () ->
                ProtocolException.invalid(
                    OverrideRules.member(key, "artifact_id"),
                    "must have content of at most " + MOST_BYTES + " bytes"));
  }

  private static void needRoom(Collection<StepRecord> found) {
    long bytes = found.stream().mapToLong(record -> record.getStep().getValue().size()).sum();
    long reasons =
        found.stream().mapToLong(record -> record.getReplaced().getReasonBytes().size()).sum();
    if (bytes > MOST_BYTES || reasons > MOST_REASONS) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
              "The values or reasons of the overrides are too large.")
          .with("bytes", bytes)
          .with("max_bytes", MOST_BYTES)
          .with("reason_bytes", reasons)
          .with("max_reason_bytes", MOST_REASONS)
          .blaming("override");
    }
  }
}
