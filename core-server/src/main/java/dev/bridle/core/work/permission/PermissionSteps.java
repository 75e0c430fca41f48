package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.Optional;

/** Reads and writes the recorded steps of permission requests. */
final class PermissionSteps {
  private final Steps steps;

  PermissionSteps(Steps steps) {
    this.steps = steps;
  }

  /** Returns the recorded step of a request. */
  Optional<AskedPermission> find(TaskChange change, RequestPermissionRequest request) {
    Write write = change.write();
    Optional<RecordedStep> step =
        steps.find(write.tr(), write.tenant(), change.id(), request.getStepKey());
    if (step.isPresent() && !step.get().hasPermission()) {
      throw ProtocolException.invalid(
          "step_key", "is the key of a step that is not a permission request");
    }
    return step.map(RecordedStep::getPermission);
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
