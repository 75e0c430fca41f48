package dev.bridle.core.work.permission;

import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.worker.v1.PermissionVerdict;
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
    boolean allowed = verdict == PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
    once(request, last, allowed).ifPresent(option -> response.setOptionId(option.getId()));
    return response.build();
  }

  /**
   * Returns the option of the deciding answer. An "always" option is mapped to the first "once"
   * option, since agents never get standing permissions.
   */
  private static Optional<PermissionOption> once(
      PermissionRequest request, PermissionAnswer answer, boolean allowed) {
    PermissionOptionKind kind =
        allowed
            ? PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE
            : PermissionOptionKind.PERMISSION_OPTION_KIND_REJECT_ONCE;
    List<PermissionOption> once =
        request.getRequest().getOptionsList().stream()
            .filter(option -> option.getKind() == kind)
            .toList();
    return once.stream()
        .filter(option -> option.getId().equals(answer.getOptionId()))
        .findFirst()
        .or(() -> once.stream().findFirst());
  }
}
