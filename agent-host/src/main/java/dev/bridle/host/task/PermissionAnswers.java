package dev.bridle.host.task;

import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Question.OptionKind;
import dev.bridle.host.acp.Reply;
import dev.bridle.worker.Decision;
import dev.bridle.worker.TaskContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What people answered to an agent's requests for permission in a task, and what the agent gets.
 */
final class PermissionAnswers {
  private final TaskContext task;
  private final AllowedActions actions;
  private final Path folder;
  private final AskingRules asking;
  private final List<String> refusals = new ArrayList<>();

  PermissionAnswers(TaskContext task, AllowedActions actions, Path folder, AskingRules asking) {
    this.asking = asking;
    this.task = task;
    this.actions = actions;
    this.folder = folder;
  }

  /** Asks, and returns the reply to the agent. */
  Reply ask(Question.Permission asked, String key) {
    AskedAction action = AskedAction.of(asked, folder);
    if (asked.approversRequired().isEmpty()) {
      return refused(asked, action);
    }
    Decision decision = task.requestPermission(key, asking.applyTo(action.permission()));
    Reply reply = reply(asked, decision);
    if (reply instanceof Reply.Granted || (decision.allowed() && reply instanceof Reply.Chosen)) {
      actions.allow(asked.toolCallId(), decision, action.title());
    } else if (!(reply instanceof Reply.Denied)) {
      // Elsewhere the agent's protocol has no place for a reason.
      decision.reason().filter(why -> !why.isBlank()).ifPresent(why -> refuse(action, why));
    }
    return reply;
  }

  /** Nobody is asked for less than what the agent's runtime wants. */
  private Reply refused(Question.Permission asked, AskedAction action) {
    String why =
        "approvers_required must be a whole number of at most "
            + Question.Permission.MOST_APPROVERS;
    if (asked.answeredByWord()) {
      return new Reply.Denied(why);
    }
    refuse(action, why);
    return asked
        .option(OptionKind.REJECT_ONCE)
        .map(found -> (Reply) new Reply.Chosen(found.id()))
        .orElseGet(Reply.Cancelled::new);
  }

  /** Without an option that says so, nothing is allowed, and the agent learns that nobody chose. */
  private static Reply reply(Question.Permission asked, Decision decision) {
    if (decision.allowed() && decision.modifiedArguments().isPresent()) {
      return new Reply.Granted(decision.modifiedArguments());
    }
    if (asked.answeredByWord()) {
      return decision.allowed()
          ? new Reply.Granted(Optional.empty())
          : new Reply.Denied(decision.reason().orElse(""));
    }
    return asked
        .option(decision.allowed() ? OptionKind.ALLOW_ONCE : OptionKind.REJECT_ONCE)
        .map(found -> (Reply) new Reply.Chosen(found.id()))
        .orElseGet(Reply.Cancelled::new);
  }

  private void refuse(AskedAction action, String why) {
    refusals.add(
        "The user did not allow this action: "
            + action.title()
            + "\nThe user's reason: "
            + why
            + "\nGo on with the task in a way that respects this.");
  }

  /** Returns how many refusals the agent has yet to get. */
  int refused() {
    return refusals.size();
  }

  /** Forgets the refusals after the first ones: their questions were withdrawn meanwhile. */
  void forgetAfter(int count) {
    refusals.subList(count, refusals.size()).clear();
  }

  /** Returns what the agent has yet to get about refusals, once. */
  List<String> takeRefusals() {
    List<String> taken = List.copyOf(refusals);
    refusals.clear();
    return taken;
  }
}
