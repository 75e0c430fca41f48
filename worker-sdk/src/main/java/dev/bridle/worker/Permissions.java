package dev.bridle.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.Optional;

/**
 * Requests permissions, and suspends or parks the handler until a decision is available. Calls the
 * core in every run: an approval is consumed by the run that receives it.
 */
final class Permissions {
  private final LeaseHold hold;
  private final TaskCalls calls;
  private final AnswerWait pause;

  Permissions(TaskCalls calls, AnswerWait pause) {
    this.hold = calls.hold();
    this.calls = calls;
    this.pause = pause;
  }

  Decision ask(String stepKey, Permission permission) {
    return pause.until(permission.hold(), () -> request(stepKey, permission));
  }

  private Optional<Decision> request(String stepKey, Permission permission) {
    RequestPermissionRequest.Builder request =
        RequestPermissionRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setStepKey(stepKey)
            .setSource(permission.source())
            .setAction(permission.action())
            .setPrompt(permission.prompt())
            .addAllOptions(permission.options())
            .addAllApprovers(permission.approvers())
            .setApproversRequired(permission.required())
            .setHold(LeaseTimes.span(permission.hold().toNanos()))
            .setSessionGrantsOnly(permission.sessionGrantsOnly())
            .setPolicyOnly(permission.policyOnly())
            .setSignedOnly(permission.signedOnly());
    if (!permission.metadata().isEmpty()) {
      request.setMetadata(Json.bytes(permission.metadata()));
    }
    permission
        .argumentsMember()
        .ifPresent(member -> request.setAcceptsModified(true).setArgumentsMember(member));
    permission.replaces().ifPresent(request::setReplaces);
    permission.timeout().ifPresent(time -> request.setTimeout(LeaseTimes.span(time.toNanos())));
    hold.ask(true);
    RequestPermissionResponse response;
    try {
      response =
          calls.carry(
              (core, earlier) ->
                  core.requestPermission(
                      request
                          .setFence(hold.fence())
                          .clearEarlierReports()
                          .addAllEarlierReports(earlier)
                          .build()));
    } catch (CallRefused e) {
      hold.ask(false);
      throw e;
    }
    if (response.getVerdict() == PermissionVerdict.PERMISSION_VERDICT_WAITING) {
      return Optional.empty();
    }
    hold.ask(false);
    return Optional.of(decision(response));
  }

  private static Decision decision(RequestPermissionResponse response) {
    Decision.Verdict verdict =
        switch (response.getVerdict()) {
          case PERMISSION_VERDICT_ALLOWED -> Decision.Verdict.ALLOWED;
          case PERMISSION_VERDICT_EXPIRED -> Decision.Verdict.EXPIRED;
          case PERMISSION_VERDICT_SHADOWED -> Decision.Verdict.SHADOWED;
          case PERMISSION_VERDICT_PROPOSED -> Decision.Verdict.PROPOSED;
          default -> Decision.Verdict.DENIED; // What a newer core may say is no permission.
        };
    return new Decision(
        verdict,
        text(response.getRequestId()),
        text(response.getOptionId()),
        text(response.getReason()),
        text(response.getGrantId()),
        Optional.of(response.getAnswer())
            .filter(answer -> !answer.isEmpty())
            .map((ByteString answer) -> Json.read(answer)),
        response.hasArguments()
            ? Optional.of((ObjectNode) Json.read(response.getArguments()))
            : Optional.empty());
  }

  private static Optional<String> text(String value) {
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }
}
