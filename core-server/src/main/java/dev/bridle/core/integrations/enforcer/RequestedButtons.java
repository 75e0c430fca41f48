package dev.bridle.core.integrations.enforcer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.RequestedActions;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The buttons that a device is asked to show: the agent's own options that allow or deny once.
 * Those that mean always are left out, since a button grants nothing.
 */
final class RequestedButtons {
  private RequestedButtons() {}

  /** Returns the extensions of an artifact; empty if the agent offers nothing that can be shown. */
  static Optional<ObjectNode> of(PermissionRequest request) {
    List<RequestedActions.Action> actions =
        request.getRequest().getOptionsList().stream()
            .flatMap(option -> action(option).stream())
            .toList();
    if (actions.size() <= RequestedActions.MOST) {
      return RequestedActions.extension(actions);
    }
    // One way to deny always stands among the buttons; a decision may name each other option.
    List<RequestedActions.Action> some = new ArrayList<>();
    Optional<RequestedActions.Action> denial =
        actions.stream().filter(action -> action.answer() == Answer.DENY).findFirst();
    actions.stream()
        .filter(action -> action.answer() == Answer.ALLOW)
        .limit(denial.isPresent() ? RequestedActions.MOST - 1L : RequestedActions.MOST)
        .forEach(some::add);
    denial.ifPresent(some::add);
    return RequestedActions.extension(some);
  }

  /** Returns the option of a button that was pressed, if it says what was decided. */
  static Optional<String> chosen(PermissionRequest request, String button, Answer answer) {
    return request.getRequest().getOptionsList().stream()
        .flatMap(option -> action(option).stream())
        .filter(action -> action.id().equals(button) && action.answer() == answer)
        .map(RequestedActions.Action::id)
        .findFirst();
  }

  private static Optional<RequestedActions.Action> action(PermissionOption option) {
    return switch (option.getKind()) {
      case PERMISSION_OPTION_KIND_ALLOW_ONCE ->
          Optional.of(action(option, "primary", Answer.ALLOW));
      case PERMISSION_OPTION_KIND_REJECT_ONCE -> Optional.of(action(option, "danger", Answer.DENY));
      default -> Optional.empty();
    };
  }

  private static RequestedActions.Action action(
      PermissionOption option, String style, Answer answer) {
    return new RequestedActions.Action(option.getId(), option.getName(), style, answer);
  }
}
