package dev.bridle.host.task;

import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Question.OptionKind;
import dev.bridle.host.acp.Reply;
import dev.bridle.worker.Decision;
import dev.bridle.worker.Permission;
import dev.bridle.worker.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What people answered to an agent's requests for permission in a task, and what the agent gets.
 */
final class PermissionAnswers {
  private final TaskContext task;
  private final AllowedActions actions;
  private final AskedCalls calls;
  private final AskingRules asking;
  private final List<String> refusals = new ArrayList<>();

  PermissionAnswers(
      TaskContext task, AllowedActions actions, AskedCalls calls, AskingRules asking) {
    this.asking = asking;
    this.task = task;
    this.actions = actions;
    this.calls = calls;
  }

  /**
   * What an agent is answered.
   *
   * @param decision what the core has decided; empty if it was not asked
   * @param rejected why people were not asked; empty if they were, or the core says why
   */
  record Answered(Reply reply, Optional<Decision> decision, Optional<String> rejected) {
    static Answered of(Reply reply, Decision decision) {
      return new Answered(reply, Optional.of(decision), Optional.empty());
    }
  }

  /**
   * Asks, and returns the reply to the agent.
   *
   * @param replaces the step key of the question in whose place this one comes
   */
  Answered ask(Question.Permission asked, String key, Optional<String> replaces) {
    Optional<String> fault = fault(asked);
    if (fault.isPresent()) {
      return refusal(asked, fault.get());
    }
    AskedAction action = calls.action(asked);
    Permission permission = asking.applyTo(action.permission());
    Decision decision =
        task.requestPermission(key, replaces.map(permission::replacing).orElse(permission));
    Reply reply = reply(asked, decision);
    if (decision.allowed() && (reply instanceof Reply.Granted || reply instanceof Reply.Chosen)) {
      actions.allow(asked.toolCallId(), decision, action.title());
    }
    note(reply, decision, action);
    return Answered.of(reply, decision);
  }

  /** Returns the reply to a question about an action that was denied before it was changed. */
  Answered denial(Question.Permission asked, Decision decision) {
    return Answered.of(reply(asked, decision), decision);
  }

  /** Returns the reply to a question that nobody is asked. */
  Answered refusal(Question.Permission asked, String why) {
    if (asked.answeredByWord()) {
      return new Answered(new Reply.Denied(why), Optional.empty(), Optional.of(why));
    }
    refusals.add(
        refusal(
            "This action was not put to the user: ", calls.action(asked), "The reason: " + why));
    Reply reply =
        asked
            .onlyOption(OptionKind.REJECT_ONCE)
            .map(found -> (Reply) new Reply.Chosen(found.id()))
            .orElseGet(Reply.Cancelled::new);
    return new Answered(reply, Optional.empty(), Optional.of(why));
  }

  /** Returns why nobody can be asked; empty if people can be. */
  private Optional<String> fault(Question.Permission asked) {
    if (asked.approversRequired().isEmpty()) {
      // Nobody is asked for less than what the agent's runtime wants.
      return Optional.of(
          "approvers_required must be a whole number of at most "
              + Question.Permission.MOST_APPROVERS);
    }
    boolean offersOnlyAlways =
        !asked.answeredByWord() && asked.options(OptionKind.ALLOW_ONCE).isEmpty();
    return asking.mustAsk() && offersOnlyAlways
        ? Optional.of("The agent only offers to allow it for always, and it has to ask each time.")
        : AskedOptions.fault(asked);
  }

  /**
   * Nothing is allowed but by the option that was chosen, or the one that there is; where there is
   * none, the agent learns that nobody chose.
   */
  private static Reply reply(Question.Permission asked, Decision decision) {
    if (decision.allowed() && decision.modifiedArguments().isPresent()) {
      return new Reply.Granted(decision.modifiedArguments());
    }
    if (asked.answeredByWord()) {
      return decision.allowed()
          ? new Reply.Granted(Optional.empty())
          : new Reply.Denied(decision.reason().orElse(""));
    }
    return AskedOptions.chosen(asked, decision)
        .map(found -> (Reply) new Reply.Chosen(found.id()))
        .orElseGet(Reply.Cancelled::new);
  }

  /** Elsewhere than in a word the agent's protocol has no place for a reason. */
  private void note(Reply reply, Decision decision, AskedAction action) {
    if (!decision.allowed() && !(reply instanceof Reply.Denied)) {
      decision
          .reason()
          .filter(why -> !why.isBlank())
          .ifPresent(
              why ->
                  refusals.add(
                      refusal(
                          "The user did not allow this action: ",
                          action,
                          "The user's reason: " + why)));
    }
  }

  private static String refusal(String what, AskedAction action, String why) {
    return what
        + action.title()
        + "\n"
        + why
        + "\nGo on with the task in a way that respects this.";
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
