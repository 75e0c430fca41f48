package dev.bridle.core.work.permission;

import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.List;
import java.util.Optional;

/**
 * Builds the response to a worker from a decision, in terms of the options that its agent offered.
 */
final class Verdicts {
  private Verdicts() {}

  static RequestPermissionResponse of(PermissionRequest request, PermissionVerdict verdict) {
    RequestPermissionResponse.Builder response =
        RequestPermissionResponse.newBuilder().setVerdict(verdict).setRequestId(request.getId());
    List<PermissionAnswer> answers = request.getResponse().getAnswersList();
    if (verdict == PermissionVerdict.PERMISSION_VERDICT_EXPIRED || answers.isEmpty()) {
      return response.build();
    }
    PermissionAnswer last = answers.get(answers.size() - 1);
    if (last.hasReason()) {
      response.setReason(last.getReason());
    }
    response.setAnswer(last.getAnswer());
    Optional<PermissionOption> named = OptionRules.named(request, last);
    Optional<PermissionOption> option =
        verdict == PermissionVerdict.PERMISSION_VERDICT_ALLOWED
            ? OptionRules.approving(request, named)
            : OptionRules.denying(request.getRequest(), named);
    option.ifPresent(chosen -> response.setOptionId(chosen.getId()));
    return response.build();
  }

  /**
   * Returns the response to a worker that may do an action once, with the arguments that were
   * approved instead of those that it asks for.
   */
  static RequestPermissionResponse allowed(PermissionRequest request, PermissionAction asked) {
    RequestPermissionResponse response = of(request, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    return isAsItWasApproved(request, asked)
        ? response
        : response.toBuilder().setArguments(request.getResponse().getArguments()).build();
  }

  /**
   * Returns whether the approval of a request is one for what a worker asks: for exactly this
   * action, or for one with other arguments where the worker does what it is told.
   */
  static boolean fits(
      PermissionRecord record, RequestPermissionRequest asks, PermissionAction asked) {
    PermissionRequest request = record.getRequest();
    boolean isModifiable =
        asks.getAcceptsModified()
            && request.getAction().getFingerprint().equals(asked.getFingerprint())
            && PermissionQuestions.argumentsMember(asks)
                .equals(request.getRequest().getArgumentsMember());
    return (isModifiable || isAsItWasApproved(request, asked))
        && OptionRules.fit(request, asks.getOptionsList());
  }

  private static boolean isAsItWasApproved(PermissionRequest request, PermissionAction asked) {
    return PermissionStore.approvedFingerprint(request).equals(asked.getFingerprint());
  }
}
