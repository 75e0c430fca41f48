package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.CallUpdate;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.acp.SessionListener;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.bridge.ToolFailure;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One task of an agent's session, from its prompt to the final stop. The agent's connection tells
 * it what happens; its own thread asks the core and answers the agent.
 */
final class AgentTurn implements SessionListener {
  /** How often a wait looks whether the turn is to end. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Shorter than the core's grace, so that the last reports arrive before the lease ends. */
  private static final Duration STOP_GRACE = Duration.ofSeconds(7);

  private final TaskContext task;
  private final TaskReports reports;
  private final AskingRules asking;
  private final UserWords words;
  private final TaskTools tools;
  private final BlockingQueue<Happening> happenings = new LinkedBlockingQueue<>();
  private final OpenQuestion open;
  private final PermissionAnswers permissions;
  private final QuestionHandler questions;
  private final AllowedActions actions;
  private final AskedCalls calls;

  /** The ids of the tool calls that run; only the agent's connection uses them. */
  private final Set<String> running = new HashSet<>();

  /** The agent's session, while it has the turn. */
  private volatile Optional<AcpSession> prompted = Optional.empty();

  /** Whether the agent has said that it waits; only its connection uses it. */
  private boolean idle;

  /** Whether the agent has reported something of the prompt that it has. */
  private boolean hasHeard = true;

  /** Whether nothing that happens is taken any more. */
  private volatile boolean over;

  /**
   * Creates a turn.
   *
   * @param asking how it asks
   * @param words what the user says meanwhile
   * @param tools the host's tools, for this task
   */
  AgentTurn(
      TaskContext task,
      TaskReports reports,
      AllowedActions actions,
      Path folder,
      AskingRules asking,
      UserWords words,
      TaskTools tools) {
    this.tools = tools;
    this.words = words;
    this.task = task;
    this.reports = reports;
    this.actions = actions;
    this.calls = new AskedCalls(asking.requests(), folder);
    this.permissions = new PermissionAnswers(task, actions, calls, asking);
    this.asking = asking;
    this.open = new OpenQuestion(task);
    this.questions = new QuestionHandler(task, reports, actions, permissions, calls, open, asking);
  }

  @Override
  public void update(SessionUpdate update) {
    idle = false;
    words.heard();
    noteHeard();
    if (update instanceof SessionUpdate.Tool tool
        && tool.statusChanged()
        && actions.reported(tool.call())) {
      calls.begunAgain(tool.call().id());
      happenings.add(new Happening.BegunAgain(tool.call().id()));
    }
    reports.add(update);
    reports.attachments(update).forEach(bytes -> happenings.add(new Happening.Attached(bytes)));
    if (update instanceof SessionUpdate.Tool tool && tool.statusChanged()) {
      step(tool.call());
      if (tool.call().over()) {
        reports
            .claim(tool.call())
            .ifPresent(result -> happenings.add(new Happening.Returned(result)));
      }
    }
    if (update instanceof SessionUpdate.Tool tool
        && tool.statusChanged()
        && tool.call().status().equals("completed")
        && asking.need(tool.call())
        && !reports.isServed(tool.call().id())) {
      happenings.add(new Happening.Acted(tool.call().id(), tool.call().title()));
    }
  }

  @Override
  public void said(CallUpdate update) {
    ToolCall call = update.call();
    calls
        .takeDifference(update)
        .filter(difference -> actions.isKnown(call.id()))
        .ifPresent(
            difference -> {
              happenings.add(new Happening.Diverged(call, difference));
              if (difference.isCertain()) {
                open.abandon(); // Whatever else it asks, its task fails.
              }
            });
  }

  @Override
  public boolean isAnother(Question.Permission shown, Question.Permission now) {
    return calls.isAnother(shown, now);
  }

  @Override
  public void revised(Question.Permission shown, Question.Permission now) {
    open.changed(shown);
    calls.asked(now);
    happenings.add(new Happening.Asked(now, Optional.of(shown)));
  }

  /**
   * Reports what the agent said between two tasks. What it did then is recorded, and fails no task:
   * who allowed it, this task does not know. On the task's own thread.
   */
  void catchUp(UpdatesBetween.Kept between) {
    if (!between.isEmpty()) {
      reports.between(between);
    }
  }

  /** The first report of a turn shows that the agent has its prompt. */
  private synchronized void noteHeard() {
    if (!hasHeard) {
      hasHeard = true;
      happenings.add(new Happening.Heard());
    }
  }

  private synchronized void notHeard() {
    hasHeard = false;
  }

  /** Between two tool calls, what the user said meanwhile is heard. */
  private void step(ToolCall call) {
    if (!HostEvents.ENDED.contains(call.status())) {
      running.add(call.id());
    } else if (running.remove(call.id()) && running.isEmpty() && !open.isOpen()) {
      words.stepEnded();
    }
  }

  @Override
  public void question(Question question) {
    noteHeard();
    if (question instanceof Question.Permission asked) {
      if (actions.asked(asked.toolCallId())) {
        calls.begunAgain(asked.toolCallId());
        happenings.add(new Happening.BegunAgain(asked.toolCallId()));
      }
      calls.asked(asked);
    }
    happenings.add(new Happening.Asked(question, Optional.empty()));
  }

  @Override
  public void questionClosed(Question question) {
    open.closed(question);
  }

  /** A daemon waits for something to do, which ends the turn if it has done what it was told. */
  void idle(long iteration, long backoffMillis) {
    if (!idle) {
      // It goes on saying so; that it began to wait is what a reader wants to know.
      idle = true;
      notified("idle", JsonNodeFactory.instance.objectNode().put("backoff_ms", backoffMillis));
    }
    prompted.ifPresent(session -> session.idle(iteration));
  }

  /** Reports what the agent notifies beside its session. */
  void notified(String kind, ObjectNode payload) {
    reports.notified(kind, payload);
  }

  /**
   * Has one of the host's tools called on the task's own thread, after what happened before.
   *
   * @throws ToolFailure if it gives nothing back, also since the turn ends first
   * @throws InterruptedException if nobody waits for the result any more; the call is cancelled
   */
  JsonNode call(String tool, JsonNode arguments) throws ToolFailure, InterruptedException {
    HostCall call = new HostCall(tool, arguments);
    tools.begin(call);
    happenings.add(new Happening.Called(call));
    if (over) {
      Happening.abandonCalls(happenings);
    }
    return tools.await(call);
  }

  @Override
  public void closed(String why) {
    happenings.add(new Happening.Closed(why));
  }

  /**
   * Prompts the agent, again with the reason where a person refused something, since the agent's
   * protocol has no place for it, and again with what the user said meanwhile.
   *
   * @param prompt the text; a daemon that waits is only woken by an empty one
   * @param keep keeps what the agent's session has reported; called once more of it is recorded
   * @return how the last turn ended
   * @throws AgentLost if the agent ended
   */
  PromptEnd run(AcpSession session, String prompt, Runnable keep)
      throws AgentLost, TaskFailure, InterruptedException {
    over = false;
    prompted = Optional.of(session);
    try {
      return turns(session, prompt, keep);
    } finally {
      prompted = Optional.empty();
      over = true;
      Happening.abandonCalls(happenings);
    }
  }

  private PromptEnd turns(AcpSession session, String prompt, Runnable keep)
      throws AgentLost, TaskFailure, InterruptedException {
    Optional<PromptEnd> end = promptUnlessTold(session, prompt, keep);
    for (Optional<String> next = next(end); next.isPresent(); next = next(end)) {
      end = promptUnlessTold(session, next.get(), keep);
    }
    return end.orElseThrow();
  }

  /**
   * Returns how a turn ended; empty if the agent answered with an error, and the user has said more
   * meanwhile, with which the task goes on: agents may answer so when they are interrupted.
   */
  private Optional<PromptEnd> promptUnlessTold(AcpSession session, String text, Runnable keep)
      throws AgentLost, TaskFailure, InterruptedException {
    try {
      return Optional.of(prompt(session, text, keep));
    } catch (TurnFailed e) {
      words.take();
      if (!words.isWaiting() || !session.phase().isBetweenTurns()) {
        throw e.failure();
      }
      notified("turn_failed", JsonNodeFactory.instance.objectNode().put("reason", e.getMessage()));
      return Optional.empty();
    }
  }

  private Optional<String> next(Optional<PromptEnd> end) {
    Optional<String> said = words.prompt();
    boolean done = end.filter(turn -> turn.reason() == PromptEnd.Reason.END_TURN).isPresent();
    if (done || said.isPresent()) {
      List<String> texts = new ArrayList<>(permissions.takeRefusals());
      said.ifPresent(texts::add);
      return Optional.of(String.join("\n", texts)).filter(text -> !text.isEmpty());
    }
    return Optional.empty();
  }

  private PromptEnd prompt(AcpSession session, String text, Runnable keep)
      throws AgentLost, TurnFailed, TaskFailure, InterruptedException {
    notHeard();
    var unused =
        begun(session, text)
            .whenComplete(
                (end, failure) ->
                    happenings.add(
                        new Happening.TurnOver(
                            Optional.ofNullable(end), Optional.ofNullable(failure))));
    words.begin(session);
    try {
      while (true) {
        Happening next = happening();
        if (next instanceof Happening.Asked asked) {
          questions.handle(session, asked.question(), asked.replaces());
        } else if (next instanceof Happening.Acted acted) {
          actions.needAllowed(acted.toolCallId(), acted.title());
        } else if (next instanceof Happening.BegunAgain begun) {
          actions.forget(begun.toolCallId());
        } else if (next instanceof Happening.Diverged diverged) {
          questions.diverge(diverged.call(), diverged.difference());
        } else if (next instanceof Happening.Called called) {
          tools.serve(called.call());
        } else if (next instanceof Happening.Returned returned) {
          reports.record(returned.result());
          keep.run();
        } else if (next instanceof Happening.Heard) {
          keep.run();
        } else if (next instanceof Happening.Attached attached) {
          reports.attach(attached.bytes());
        } else if (next instanceof Happening.Closed closed) {
          throw new AgentLost(closed.why());
        } else if (next instanceof Happening.TurnOver over) {
          return TurnEnds.of(over, keep);
        }
      }
    } catch (RuntimeException | TaskFailure e) {
      stop(session); // Also where the core refuses something: nobody would watch what it goes on to
      // do.
      throw e;
    } catch (InterruptedException e) {
      stop(session);
      task.throwIfCancelled();
      throw e;
    } finally {
      words.end();
    }
  }

  private static CompletableFuture<PromptEnd> begun(AcpSession session, String text) {
    if (text.isEmpty()) {
      return session.wake();
    }
    ArrayNode content = JsonNodeFactory.instance.arrayNode();
    content.addObject().put("type", "text").put("text", text);
    return session.prompt(content);
  }

  /** Waits for what happens next; not for long where the agent was told to end its turn. */
  private Happening happening() throws AgentLost, InterruptedException {
    while (true) {
      Duration patience = words.patience().orElse(LOOK);
      Happening next = happenings.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
      if (next != null) {
        return next;
      }
      if (words.patience().filter(Duration::isZero).isPresent()) {
        throw new AgentLost("It did not end its turn when the user interrupted it.");
      }
    }
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
