package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.Optional;

/** What the steps that ask for permissions left: whom they asked, and for what. */
final class AskedSteps {
  private final Steps steps;

  AskedSteps(Steps steps) {
    this.steps = steps;
  }

  /** Returns what the step of a request left. */
  Optional<AskedPermission> find(TaskChange change, RequestPermissionRequest request) {
    Write write = change.write();
    Optional<RecordedStep> step =
        steps.find(write.tr(), write.tenant(), change.id(), request.getStepKey());
    if (step.isPresent() && !step.get().hasPermission()) {
      throw ProtocolException.invalid(
          "step_key", "is the key of a step that asked for no permission");
    }
    return step.map(RecordedStep::getPermission);
  }

  /** Returns what the step left, where it asked for the same action. */
  Optional<AskedPermission> find(
      TaskChange change, RequestPermissionRequest request, String fingerprint) {
    return find(change, request).filter(step -> step.getFingerprint().equals(fingerprint));
  }

  /** Records that people were asked, or that their approval was used. */
  void askedPeople(
      TaskChange change, RequestPermissionRequest request, String fingerprint, String id) {
    record(change, request, step(request, fingerprint).setRequestId(id));
  }

  /** Records that a standing grant allowed the action. */
  void allowedBy(
      TaskChange change, RequestPermissionRequest request, String fingerprint, String grant) {
    record(change, request, step(request, fingerprint).setGrantId(grant));
  }

  /** Records what the persona decided. */
  void ruled(
      TaskChange change,
      RequestPermissionRequest request,
      String fingerprint,
      AskingPolicy.Ruling ruling) {
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
