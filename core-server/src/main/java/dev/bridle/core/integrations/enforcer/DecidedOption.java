package dev.bridle.core.integrations.enforcer;

import dev.bridle.core.work.permission.OptionRules;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.HarpRequestRecord;
import java.util.List;
import java.util.Optional;

/**
 * The agent's option that a decision chooses. Where there is a choice, the decision is signed for
 * one; a pressed button is not signed, and only says what the decision says anyway.
 */
final class DecidedOption {
  private DecidedOption() {}

  /**
   * Returns the id of the option; empty if the decision means none in particular.
   *
   * @throws HarpException {@code SCOPE} if it names one that was not shown, or decides otherwise,
   *     or has to name one
   */
  static Optional<String> of(
      HarpRequestRecord record,
      PermissionRequest asked,
      PresentedDecision presented,
      Decision decision)
      throws HarpException {
    List<PermissionOption> offered = asked.getRequest().getOptionsList();
    Optional<String> signed = decision.option();
    if (signed.isPresent()) {
      boolean isShown =
          record.getShowsSaid()
              && offered.stream()
                  .anyMatch(
                      option ->
                          option.getId().equals(signed.get())
                              && decides(option, decision.answer()));
      if (!isShown) {
        throw refused("The option that the decision names was not shown, or decides otherwise.");
      }
      return signed;
    }
    if (decision.answer() == Answer.ALLOW && OptionRules.needChoice(offered)) {
      throw refused("The agent offers several ways to allow it; the decision is signed for none.");
    }
    return presented
        .button()
        .filter(button -> record.getRequestsActions())
        .flatMap(button -> RequestedButtons.chosen(asked, button, decision.answer()))
        .filter(id -> isOnlyOfItsKind(offered, id));
  }

  private static boolean decides(PermissionOption option, Answer answer) {
    return switch (option.getKind()) {
      case PERMISSION_OPTION_KIND_ALLOW_ONCE, PERMISSION_OPTION_KIND_ALLOW_ALWAYS ->
          answer == Answer.ALLOW;
      case PERMISSION_OPTION_KIND_REJECT_ONCE, PERMISSION_OPTION_KIND_REJECT_ALWAYS ->
          answer == Answer.DENY;
      default -> false;
    };
  }

  private static boolean isOnlyOfItsKind(List<PermissionOption> offered, String id) {
    return offered.stream()
        .filter(option -> option.getId().equals(id))
        .allMatch(
            named ->
                offered.stream().filter(option -> option.getKind() == named.getKind()).count()
                    == 1);
  }

  private static HarpException refused(String why) {
    return new HarpException(HarpErrorCode.SCOPE, "option", why);
  }
}
