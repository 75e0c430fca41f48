package dev.bridle.host.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.TaskContext;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Gets the answers to an agent's questions from people. A question that the core rejects, such as
 * one about an input that is too large to show, is answered with an error that says why: nobody is
 * asked, nothing is allowed, and the agent may ask for something else.
 */
final class QuestionAnswers {
  /** What the core rejects in the question itself, so that to ask again would change nothing. */
  private static final Set<ErrorCode> OF_QUESTION =
      Set.of(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
          ErrorCode.ERROR_CODE_POLICY_VIOLATION);

  private final TaskContext task;
  private final PermissionAnswers permissions;
  private final TaskReports reports;
  private final Duration hold;

  QuestionAnswers(
      TaskContext task, PermissionAnswers permissions, TaskReports reports, Duration hold) {
    this.task = task;
    this.permissions = permissions;
    this.reports = reports;
    this.hold = hold;
  }

  /**
   * Asks, and returns the reply to the agent.
   *
   * @param replaces the step key of the question in whose place this one comes
   * @throws CallRefused if the core rejects the call for another reason than the question
   */
  PermissionAnswers.Answered ask(Question question, String key, Optional<String> replaces) {
    try {
      return question instanceof Question.Permission asked
          ? permissions.ask(asked, key, replaces)
          : new PermissionAnswers.Answered(
              AskedForm.fill(task, (Question.Form) question, key, hold),
              Optional.empty(),
              Optional.empty());
    } catch (CallRefused e) {
      if (e.stepKey().isPresent() || !OF_QUESTION.contains(e.code())) {
        throw e;
      }
      return rejected(question, e.param().map(member -> member + ": ").orElse("") + e.getMessage());
    }
  }

  private PermissionAnswers.Answered rejected(Question question, String why) {
    String reason = reports.rejected(question, why);
    return new PermissionAnswers.Answered(
        new Reply.Failed("Nobody was asked, since the question was rejected: " + reason),
        Optional.empty(),
        Optional.empty());
  }
}
