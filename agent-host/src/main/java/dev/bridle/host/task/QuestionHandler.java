package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.worker.Decision;
import dev.bridle.worker.QuestionWithdrawn;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Asks people what an agent asks, and answers the agent, which gets an answer only to the question
 * that they were shown: where the agent has changed the action meanwhile, what was approved counts
 * for nothing, and people are asked again. For the task's thread.
 */
final class QuestionHandler {
  /** How often an agent may change what it asks for. */
  static final int MOST_CHANGES = 8;

  private static final String CHANGES =
      "The agent has changed what it asks for more than " + MOST_CHANGES + " times.";

  private static final String FULL =
      "So many actions that were allowed have not ended that no further one can be watched.";

  private static final Past NONE = new Past(Optional.empty(), 0, Optional.empty());

  private final TaskContext task;
  private final TaskReports reports;
  private final AllowedActions actions;
  private final PermissionAnswers permissions;
  private final QuestionAnswers answers;
  private final AskedCalls calls;
  private final OpenQuestion open;

  /** The changed questions, in whose place others are going to come. */
  private final IdentityHashMap<Question, Past> changed = new IdentityHashMap<>();

  /** Under which keys the tool calls were allowed, by their ids. */
  private final Map<String, String> keys = new HashMap<>();

  private long divergences;

  /**
   * What is known of the questions before one.
   *
   * @param key the step key of the newest one that the core was asked
   * @param changes how often the agent has changed what it asks for
   * @param denial what was decided of the action before it was changed
   */
  private record Past(Optional<String> key, int changes, Optional<Decision> denial) {}

  QuestionHandler(
      TaskContext task,
      TaskReports reports,
      AllowedActions actions,
      PermissionAnswers permissions,
      AskedCalls calls,
      OpenQuestion open,
      AskingRules asking) {
    this.task = task;
    this.reports = reports;
    this.actions = actions;
    this.permissions = permissions;
    this.answers = new QuestionAnswers(task, permissions, reports, asking.hold());
    this.calls = calls;
    this.open = open;
  }

  /**
   * Asks, and answers the agent.
   *
   * @param replaces the question whose action the agent has changed to that of this one
   */
  void handle(AcpSession session, Question question, Optional<Question.Permission> replaces) {
    Past past =
        replaces
            .map(before -> Optional.ofNullable(changed.remove(before)).orElse(NONE))
            .map(before -> new Past(before.key(), before.changes() + 1, before.denial()))
            .orElse(NONE);
    String key = reports.questionKey();
    if (!session.isOpen(question) || !open.begin(question, key)) {
      remember(question, past);
      calls.closed(question);
      return;
    }
    Past now = past;
    try {
      if (question instanceof Question.Permission permission && past.denial().isPresent()) {
        // The person has said no, which the agent can't change by saying more.
        send(session, question, permissions.denial(permission, past.denial().get()));
      } else if (past.changes() > MOST_CHANGES) {
        send(session, question, permissions.refusal((Question.Permission) question, CHANGES));
      } else if (question instanceof Question.Permission permission && calls.isFull()) {
        send(session, question, permissions.refusal(permission, FULL));
      } else {
        now = ask(session, question, key, past);
      }
    } catch (QuestionWithdrawn e) {
      // The agent does not wait for it.
    } finally {
      remember(question, now);
      open.end();
      calls.closed(question);
    }
  }

  private void remember(Question question, Past past) {
    if (open.hasChanged(question)) {
      changed.put(question, past);
    }
  }

  private Past ask(AcpSession session, Question question, String key, Past past) {
    int refused = permissions.refused();
    boolean wasAllowed = actions.has(question.toolCallId());
    PermissionAnswers.Answered answered = answers.ask(question, key, past.key());
    Optional<Decision> decision = answered.decision();
    boolean isAllowed = decision.filter(Decision::allowed).isPresent();
    if (isAllowed) {
      keys.put(question.toolCallId(), key);
    }
    Optional<ShownCall> shown =
        isAllowed ? calls.allow(question, modified(answered.reply())) : Optional.empty();
    if (send(session, question, answered)) {
      return past;
    }
    shown.ifPresent(as -> calls.retract(question.toolCallId(), as));
    Past now =
        new Past(
            decision.isPresent() ? Optional.of(key) : past.key(), past.changes(), Optional.empty());
    if (isAllowed) {
      retract(question, key, wasAllowed);
    } else if (open.hasChanged(question) && isDenied(decision)) {
      return new Past(now.key(), now.changes(), decision);
    }
    permissions.forgetAfter(refused); // Nobody has refused what the agent asks for now.
    return now;
  }

  private static Optional<JsonNode> modified(Reply reply) {
    return reply instanceof Reply.Granted granted
        ? granted.arguments().map(JsonNode.class::cast)
        : Optional.empty();
  }

  private static boolean isDenied(Optional<Decision> decision) {
    return decision.filter(one -> one.verdict() != Decision.Verdict.EXPIRED).isPresent();
  }

  /** The agent was not answered that the action is allowed. */
  private void retract(Question question, String key, boolean wasAllowed) {
    if (open.hasChanged(question)) {
      var unused = task.change(key);
    }
    actions
        .retract(question.toolCallId(), wasAllowed)
        .ifPresent(
            step ->
                task.event(step, HostEvents.ANSWERED, facts(question).put("outcome", "not_sent")));
  }

  private boolean send(AcpSession session, Question question, PermissionAnswers.Answered answered) {
    if (!session.answer(question, answered.reply())) {
      return false;
    }
    if (question instanceof Question.Permission permission) {
      ObjectNode facts = facts(question);
      answered
          .decision()
          .flatMap(Decision::requestId)
          .ifPresent(id -> facts.put("permission_request_id", id));
      answered.decision().flatMap(Decision::grantId).ifPresent(id -> facts.put("grant_id", id));
      answered.rejected().ifPresent(why -> reports.rejected(question, why));
      reports.host(HostEvents.ANSWERED, AnsweredFacts.of(permission, answered.reply(), facts));
    }
    return true;
  }

  private static ObjectNode facts(Question question) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("tool_call_id", KeptText.of(question.toolCallId(), TaskReports.MAX_TITLE));
  }

  /**
   * Records that a tool call goes on as another action than was allowed. Of a name alone that was
   * not said before, the core says whether it makes one.
   *
   * @throws TaskFailure if it is another action, and somebody has allowed the call: that ends the
   *     task
   */
  void diverge(ToolCall call, Difference difference) throws TaskFailure {
    if (!actions.has(call.id())) {
      return;
    }
    String question = keys.get(call.id());
    boolean isAnother = difference.isCertain();
    if (question != null) {
      isAnother |=
          task.divergeByName(
              reports.key("divergence", ++divergences),
              question,
              KeptText.of(call.title(), TaskReports.MAX_TITLE),
              difference.members(),
              KeptText.of(difference.firstName(), TaskReports.MAX_TITLE));
    }
    if (!isAnother) {
      return;
    }
    throw new TaskFailure(
        "acted_differently",
        KeptText.of(
            "The agent has gone on with another action than was allowed: "
                + call.title()
                + " ("
                + difference.members()
                + ")",
            KeptText.MOST_FAILURE));
  }
}
