package dev.bridle.core.work.permission;

import static dev.bridle.permission.v1.PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ALWAYS;
import static dev.bridle.permission.v1.PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE;
import static dev.bridle.permission.v1.PermissionOptionKind.PERMISSION_OPTION_KIND_REJECT_ONCE;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The rules of the options that an agent offers. An approval that names none means the one option
 * that allows once; where there is not exactly one, it has to name an option, since nobody picks
 * among several for a person.
 */
public final class OptionRules {
  private static final String OPTION_ID = "option_id";

  private OptionRules() {}

  /** Returns whether an approval has to name one of these options. */
  public static boolean needChoice(List<PermissionOption> offered) {
    return !offered.isEmpty() && of(offered, PERMISSION_OPTION_KIND_ALLOW_ONCE).size() != 1;
  }

  /**
   * Returns the option that the agent is answered with by an approval; empty if it offers none.
   *
   * @param named the option that the approval names
   * @throws ProtocolException {@code invalid_request} about {@code option_id} if it has to name
   *     one, or may not name this one
   */
  static Optional<PermissionOption> approving(
      PermissionRequest request, Optional<PermissionOption> named) {
    PermissionQuestion asked = request.getRequest();
    List<PermissionOption> offered = asked.getOptionsList();
    List<PermissionOption> once = of(offered, PERMISSION_OPTION_KIND_ALLOW_ONCE);
    if (offered.isEmpty() || once.size() == 1) {
      return once.stream().findFirst();
    }
    if (!once.isEmpty()) {
      return Optional.of(
          named
              .filter(once::contains)
              .orElseThrow(
                  () ->
                      ProtocolException.invalid(
                          OPTION_ID,
                          "must name one of the options that allow once: " + ids(once))));
    }
    List<PermissionOption> always = of(offered, PERMISSION_OPTION_KIND_ALLOW_ALWAYS);
    if (always.isEmpty()) {
      throw ProtocolException.invalid(
          OPTION_ID, "can name nothing: the agent offers no option that allows the action");
    }
    if (named.isEmpty()) {
      throw ProtocolException.invalid(
          OPTION_ID,
          "must name one of the options, which the agent takes for always: " + ids(always));
    }
    Optional<ApprovalRequirement> policy =
        asked.hasPolicy() ? Optional.of(asked.getPolicy()) : Optional.empty();
    if (!Requirements.permit(policy, GrantScope.GRANT_SCOPE_SESSION)
        || request.getAction().hasNotExact()) {
      throw ProtocolException.invalid(
          OPTION_ID,
          "names an option that means always, and no more than this one action may be allowed");
    }
    return named;
  }

  /** Returns the option that the agent is answered with by a denial; empty if there is none. */
  static Optional<PermissionOption> denying(
      PermissionQuestion asked, Optional<PermissionOption> named) {
    List<PermissionOption> reject = of(asked.getOptionsList(), PERMISSION_OPTION_KIND_REJECT_ONCE);
    return named
        .filter(reject::contains)
        .or(() -> reject.size() == 1 ? Optional.of(reject.get(0)) : Optional.empty());
  }

  /** Returns the option that an answer of a request names. */
  static Optional<PermissionOption> named(PermissionRequest request, PermissionAnswer answer) {
    return request.getRequest().getOptionsList().stream()
        .filter(option -> answer.hasOptionId() && option.getId().equals(answer.getOptionId()))
        .findFirst();
  }

  /**
   * Returns whether an approval of a request may be used for a question with these options: where
   * either needs a choice, the option that was chosen has to be among them.
   */
  static boolean fit(PermissionRequest approved, List<PermissionOption> asked) {
    if (!needChoice(approved.getRequest().getOptionsList()) && !needChoice(asked)) {
      return true;
    }
    return approved.getResponse().getAnswersList().stream()
        .filter(PermissionAnswer::getApproved)
        .reduce((earlier, later) -> later)
        .flatMap(last -> named(approved, last))
        .filter(asked::contains)
        .isPresent();
  }

  /** Returns whether an approval names the same option as the earlier approvals of the request. */
  static boolean agree(PermissionRequest request, Optional<PermissionOption> named) {
    return !needChoice(request.getRequest().getOptionsList())
        || request.getResponse().getAnswersList().stream()
            .filter(PermissionAnswer::getApproved)
            .allMatch(earlier -> named(request, earlier).equals(named));
  }

  private static List<PermissionOption> of(
      List<PermissionOption> offered, PermissionOptionKind kind) {
    return offered.stream().filter(option -> option.getKind() == kind).toList();
  }

  private static String ids(List<PermissionOption> options) {
    return options.stream()
        .map(option -> "'" + option.getId() + "'")
        .collect(Collectors.joining(", "));
  }
}
