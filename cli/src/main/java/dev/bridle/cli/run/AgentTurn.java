package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Question.OptionKind;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.acp.SessionListener;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.worker.Decision;
import dev.bridle.worker.QuestionWithdrawn;
import dev.bridle.worker.TaskCancelled;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskSuspended;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One task of an agent's session, from its prompt to the final stop. The agent's connection tells
 * it what happens; its own thread asks the core and answers the agent.
 */
final class AgentTurn implements SessionListener {
  /** How long a process is kept for an answer; the core may allow less. */
  private static final Duration HOLD = Duration.ofMinutes(10);

  private static final Duration STOP_GRACE = Duration.ofSeconds(10);

  /** Kinds of tool calls that change something; what an agent calls a read passes. */
  private static final Set<String> ACTING = Set.of("execute", "edit", "delete", "move");

  private final TaskContext task;
  private final TaskReports reports;
  private final AllowedActions actions;
  private final Path folder;
  private final boolean asks;
  private final BlockingQueue<Happening> happenings = new LinkedBlockingQueue<>();
  private final OpenQuestion open;
  private final Set<String> allowed = new HashSet<>();
  private final List<String> refusals = new ArrayList<>();

  /** What the task's own thread is told, in its order. */
  private sealed interface Happening {
    record Asked(Question question) implements Happening {}

    record Acted(String toolCallId, String title) implements Happening {}

    record TurnOver(Optional<PromptEnd> end, Optional<Throwable> failure) implements Happening {}

    record Closed(String why) implements Happening {}
  }

  /**
   * Creates a turn.
   *
   * @param asks whether the agent is made to ask, so that acting without is a fault
   */
  AgentTurn(
      TaskContext task, TaskReports reports, AllowedActions actions, Path folder, boolean asks) {
    this.task = task;
    this.reports = reports;
    this.actions = actions;
    this.folder = folder;
    this.asks = asks;
    this.open = new OpenQuestion(task);
  }

  @Override
  public void update(SessionUpdate update) {
    reports.add(update);
    if (update instanceof SessionUpdate.Tool tool
        && tool.statusChanged()
        && tool.call().status().equals("completed")
        && ACTING.contains(tool.call().kind())) {
      happenings.add(new Happening.Acted(tool.call().id(), tool.call().title()));
    }
  }

  @Override
  public void question(Question question) {
    happenings.add(new Happening.Asked(question));
  }

  @Override
  public void questionClosed(Question question) {
    open.closed(question);
  }

  @Override
  public void closed(String why) {
    happenings.add(new Happening.Closed(why));
  }

  /**
   * Prompts the agent, and again with the reason where a person refused something, since the
   * agent's protocol has no place for it.
   *
   * @return how the last turn ended
   * @throws AgentLost if the agent ended
   */
  PromptEnd run(AcpSession session, String prompt)
      throws AgentLost, TaskFailure, InterruptedException {
    PromptEnd end = prompt(session, prompt);
    while (end.reason() == PromptEnd.Reason.END_TURN && !refusals.isEmpty()) {
      String why = String.join("\n", refusals);
      refusals.clear();
      end = prompt(session, why);
    }
    return end;
  }

  private PromptEnd prompt(AcpSession session, String text)
      throws AgentLost, TaskFailure, InterruptedException {
    ArrayNode content = JsonNodeFactory.instance.arrayNode();
    content.addObject().put("type", "text").put("text", text);
    var unused =
        session
            .prompt(content)
            .whenComplete(
                (end, failure) ->
                    happenings.add(
                        new Happening.TurnOver(
                            Optional.ofNullable(end), Optional.ofNullable(failure))));
    try {
      while (true) {
        Happening next = happenings.take();
        if (next instanceof Happening.Asked asked) {
          answer(session, asked.question());
        } else if (next instanceof Happening.Acted acted) {
          needAllowed(acted);
        } else if (next instanceof Happening.Closed closed) {
          throw new AgentLost(closed.why());
        } else if (next instanceof Happening.TurnOver over) {
          return ended(over);
        }
      }
    } catch (TaskCancelled | TaskSuspended | TaskFailure e) {
      stop(session);
      throw e;
    } catch (InterruptedException e) {
      stop(session);
      task.throwIfCancelled();
      throw e;
    }
  }

  private static PromptEnd ended(Happening.TurnOver over) throws AgentLost, TaskFailure {
    if (over.end().isPresent()) {
      return over.end().get();
    }
    Throwable failure = over.failure().orElseThrow();
    Throwable cause = failure.getCause() instanceof AcpException ? failure.getCause() : failure;
    if (cause instanceof AcpException said && said.reason() == AcpException.Reason.NO_ANSWER) {
      throw new AgentLost(said.getMessage());
    }
    boolean login =
        cause instanceof AcpException said && said.reason() == AcpException.Reason.LOGIN;
    throw new TaskFailure(
        login ? "agent_login" : "agent_error",
        (login ? "A person has to log in to the agent first: " : "The agent failed: ")
            + cause.getMessage());
  }

  private void needAllowed(Happening.Acted acted) throws TaskFailure {
    if (asks && !allowed.contains(acted.toolCallId())) {
      throw new TaskFailure(
          "acted_without_asking",
          "The agent has done something that it did not ask for: " + acted.title());
    }
  }

  private void answer(AcpSession session, Question question) {
    String key = reports.questionKey();
    if (!open.begin(question, key)) {
      return;
    }
    try {
      Reply reply =
          question instanceof Question.Permission asked
              ? permitted(asked, key)
              : AskedForm.fill(task, (Question.Form) question, key, HOLD);
      session.answer(question, reply);
    } catch (QuestionWithdrawn e) {
      // The agent does not wait for it.
    } finally {
      open.end();
    }
  }

  private Reply permitted(Question.Permission asked, String key) {
    AskedAction action = AskedAction.of(asked, folder);
    Decision decision = task.requestPermission(key, action.permission().holding(HOLD));
    Optional<Question.Option> option =
        asked.option(decision.allowed() ? OptionKind.ALLOW_ONCE : OptionKind.REJECT_ONCE);
    if (decision.allowed() && option.isPresent()) {
      allowed.add(asked.toolCallId());
      actions.allow(asked.toolCallId(), decision, action.title());
    } else {
      decision.reason().filter(why -> !why.isBlank()).ifPresent(why -> refuse(action, why));
    }
    // Without the option that says so, nothing is allowed, and the agent is told that nobody chose.
    return option
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

  /** Asks the agent to stop, and waits for what it still reports. */
  private void stop(AcpSession session) {
    Thread.interrupted();
    try {
      if (!session.cancel()) {
        return;
      }
      long until = System.nanoTime() + STOP_GRACE.toNanos();
      while (true) {
        Happening next =
            happenings.poll(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (next == null
            || next instanceof Happening.TurnOver
            || next instanceof Happening.Closed) {
          return;
        }
        if (next instanceof Happening.Asked asked) {
          session.answer(asked.question(), new Reply.Cancelled());
        }
      }
    } catch (AcpException e) {
      // It has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
