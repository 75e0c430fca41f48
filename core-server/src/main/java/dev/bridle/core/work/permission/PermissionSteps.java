package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.StepTold;
import java.util.Optional;

/** Reads and writes the recorded steps of permission requests. */
final class PermissionSteps {
  private final Steps steps;

  PermissionSteps(Steps steps) {
    this.steps = steps;
  }

  /** Returns the recorded step of a request. */
  Optional<AskedPermission> find(TaskChange change, RequestPermissionRequest request) {
    return find(change, request.getStepKey(), "step_key");
  }

  /** Returns the step of a permission request that is recorded under a key. */
  Optional<AskedPermission> find(TaskChange change, String stepKey) {
    return recorded(change, stepKey)
        .filter(RecordedStep::hasPermission)
        .map(RecordedStep::getPermission);
  }

  /**
   * Returns the request that another one replaces; empty if it replaces none, or nobody was asked.
   *
   * @throws ProtocolException {@code invalid_request} if nothing was asked under that key
   */
  Optional<String> replaced(TaskChange change, RequestPermissionRequest request) {
    if (request.getReplaces().isEmpty()) {
      return Optional.empty();
    }
    AskedPermission step =
        find(change, request.getReplaces(), "replaces")
            .orElseThrow(
                () ->
                    ProtocolException.invalid(
                        "replaces", "must be the key of a permission request of the task"));
    return Optional.of(step.getRequestId()).filter(id -> !id.isEmpty());
  }

  private Optional<AskedPermission> find(TaskChange change, String stepKey, String member) {
    Optional<RecordedStep> step = recorded(change, stepKey);
    if (step.isPresent() && !step.get().hasPermission()) {
      throw ProtocolException.invalid(
          member, "is the key of a step that is not a permission request");
    }
    return step.map(RecordedStep::getPermission);
  }

  private Optional<RecordedStep> recorded(TaskChange change, String stepKey) {
    Write write = change.write();
    return steps.find(write.tr(), write.tenant(), change.id(), stepKey);
  }

  /** Returns whether a report without a result is recorded under a key. */
  boolean isReported(TaskChange change, String stepKey) {
    Optional<RecordedStep> step = recorded(change, stepKey);
    if (step.isPresent() && !step.get().hasTold()) {
      throw ProtocolException.invalid("step_key", "is the key of another step");
    }
    return step.isPresent();
  }

  /** Records a report without a result. */
  void recordReport(TaskChange change, String stepKey) {
    steps.record(
        change,
        RecordedStep.newBuilder()
            .setStepKey(stepKey)
            .setTold(StepTold.getDefaultInstance())
            .build());
  }

  /** Records that what was allowed by a step counts for nothing any more. */
  void recordVoided(TaskChange change, String stepKey, AskedPermission step) {
    steps.record(
        change,
        RecordedStep.newBuilder()
            .setStepKey(stepKey)
            .setPermission(step.toBuilder().setVoided(true))
            .build());
  }

  /** Returns the recorded step of a request, if it was for the same action. */
  Optional<AskedPermission> find(
      TaskChange change, RequestPermissionRequest request, String fingerprint) {
    return find(change, request).filter(step -> step.getFingerprint().equals(fingerprint));
  }

  /** Records that a permission request was opened, or that its approval was used. */
  void recordRequest(
      TaskChange change, RequestPermissionRequest request, String fingerprint, String id) {
    record(change, request, step(request, fingerprint).setRequestId(id));
  }

  /** Records that a standing grant allowed the action. */
  void recordGrant(
      TaskChange change, RequestPermissionRequest request, String fingerprint, String grant) {
    record(change, request, step(request, fingerprint).setGrantId(grant));
  }

  /** Records the policy's decision. */
  void recordRuling(
      TaskChange change,
      RequestPermissionRequest request,
      String fingerprint,
      PermissionPolicy.Ruling ruling) {
    record(
        change,
        request,
        step(request, fingerprint)
            .setPersonaVerdict(ruling.verdict())
            .setPersonaReason(ruling.reason()));
  }

  private static AskedPermission.Builder step(
      RequestPermissionRequest request, String fingerprint) {
    return AskedPermission.newBuilder().setFingerprint(fingerprint).setFence(request.getFence());
  }

  private void record(
      TaskChange change, RequestPermissionRequest request, AskedPermission.Builder step) {
    steps.record(
        change,
        RecordedStep.newBuilder().setStepKey(request.getStepKey()).setPermission(step).build());
  }
}
