package dev.bridle.core.work.permission;

import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.List;
import java.util.Optional;

/** Tells a worker what was decided, in the terms of the options that its agent offered. */
final class Verdicts {
  private Verdicts() {}

  static RequestPermissionResponse of(PermissionRequest request, PermissionVerdict verdict) {
    RequestPermissionResponse.Builder told =
        RequestPermissionResponse.newBuilder().setVerdict(verdict).setRequestId(request.getId());
    List<PermissionAnswer> answers = request.getResponse().getAnswersList();
    if (verdict == PermissionVerdict.PERMISSION_VERDICT_EXPIRED || answers.isEmpty()) {
      return told.build();
    }
    PermissionAnswer last = answers.get(answers.size() - 1);
    if (last.hasReason()) {
      told.setReason(last.getReason());
    }
    told.setAnswer(last.getAnswer());
    boolean allowed = verdict == PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
    once(request, last, allowed).ifPresent(option -> told.setOptionId(option.getId()));
    return told.build();
  }

  /**
   * Returns the option that the deciding answer chose; one that says always stands for the first
   * that says once, since an agent is never told always.
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
