package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.TaskContext;
import java.time.Duration;
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

  private static final int MAX_REASON = 1000;

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
   * @throws CallRefused if the core rejects the call for another reason than the question
   */
  Reply ask(Question question, String key) {
    try {
      return question instanceof Question.Permission asked
          ? permissions.ask(asked, key)
          : AskedForm.fill(task, (Question.Form) question, key, hold);
    } catch (CallRefused e) {
      if (e.stepKey().isPresent() || !OF_QUESTION.contains(e.code())) {
        throw e;
      }
      return rejected(question, e.param().map(member -> member + ": ").orElse("") + e.getMessage());
    }
  }

  private Reply rejected(Question question, String why) {
    String reason = KeptText.of(why, MAX_REASON);
    ObjectNode facts =
        JsonNodeFactory.instance
            .objectNode()
            .put("tool_call_id", KeptText.of(question.toolCallId(), MAX_REASON))
            .put("reason", reason);
    reports.host(HostEvents.QUESTION_REJECTED, facts);
    return new Reply.Failed("Nobody was asked, since the question was rejected: " + reason);
  }
}
