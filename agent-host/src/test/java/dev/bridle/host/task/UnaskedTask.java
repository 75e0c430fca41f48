package dev.bridle.host.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.bridge.HostTools;
import dev.bridle.host.bridge.Skills;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.worker.RefusedCalls;
import dev.bridle.worker.TaskContext;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What an agent gets from its task where nobody is asked: the core rejects each question. */
public final class UnaskedTask {
  private static final Duration HOLD = Duration.ofMinutes(1);

  private static final TaskContext TASK =
      (TaskContext)
          Proxy.newProxyInstance(
              UnaskedTask.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "event" -> null;
                    case "requestPermission", "requestInput" ->
                        throw RefusedCalls.of(
                            ErrorCode.ERROR_CODE_INVALID_REQUEST,
                            "content",
                            "is nested deeper than 64 levels, or holds a number or a text that is"
                                + " too long");
                    default -> throw new AssertionError(method);
                  });

  private UnaskedTask() {}

  /** Returns what the agent is answered. */
  public static Reply answer(Question question) {
    AllowedActions actions = new AllowedActions(TASK);
    PermissionAnswers permissions =
        new PermissionAnswers(
            TASK,
            actions,
            new AskedCalls(RequestTraits.NONE, Path.of("/work")),
            new AskingRules(true, false, HOLD, false, false, RequestTraits.NONE));
    TaskReports reports =
        new TaskReports(
            TASK,
            actions,
            new SessionCost(),
            new SkillIds(Skills.none()),
            new ServedCalls(),
            "run1");
    return new QuestionAnswers(TASK, permissions, reports, HOLD)
        .ask(question, reports.questionKey(), Optional.empty())
        .reply();
  }

  /** Returns the host's tools for an agent that is in no turn. */
  public static HostTools tools() {
    return new TurnTools(Optional::empty);
  }
}
