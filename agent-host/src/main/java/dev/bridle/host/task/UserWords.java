package dev.bridle.host.task;

import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.Delivery;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.SentMessage;
import dev.bridle.worker.TaskCancelled;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskSuspended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * What the user says to an agent in the midst of a task. A runtime that speaks the bridge protocol
 * takes it in the midst of a turn. Other agents take a prompt only between their turns, so a turn
 * is ended first: at once for what interrupts, after a tool call for the rest. Thread-safe.
 */
final class UserWords {
  /** How long an agent has to end a turn, before it is started again. */
  private static final Duration STOP_GRACE = Duration.ofSeconds(10);

  private final TaskContext task;
  private final List<String> told = new ArrayList<>();
  private final List<SentMessage> waiting = new ArrayList<>();

  /** What was sent into the open turn, and the agent has shown no sign of since. */
  private final List<SentMessage> unheard = new ArrayList<>();

  private Optional<AcpSession> turn = Optional.empty();
  private long stopUntil;
  private boolean stopped;

  /** Whether nothing is taken from the core, since the task is about to end. */
  private boolean closed;

  private UserWords(TaskContext task) {
    this.task = task;
  }

  /**
   * Takes up what earlier runs were told, and what waits.
   *
   * @param executor takes what comes later
   */
  static UserWords of(TaskContext task, Executor executor) {
    UserWords words = new UserWords(task);
    task.takenMessages().forEach(message -> words.told.add(message.text()));
    words.take();
    task.onMessage(() -> executor.execute(words::listen));
    return words;
  }

  private void listen() {
    try {
      take();
    } catch (TaskCancelled | TaskSuspended | CallRefused e) {
      // The task's own thread gets this as well; what was not taken stays with the core.
    }
  }

  /** Takes what waits at the core, and ends the open turn if that interrupts it. */
  void take() {
    for (Optional<SentMessage> next = next(); next.isPresent(); next = next()) {
      endTurn(false);
    }
  }

  private synchronized Optional<SentMessage> next() {
    if (closed) {
      return Optional.empty();
    }
    Optional<SentMessage> next = task.nextMessage();
    // One without a text is nothing to prompt with.
    next.filter(message -> !message.text().isBlank()).ifPresent(waiting::add);
    return next;
  }

  /** Begins a turn, which whatever has come meanwhile may interrupt. */
  void begin(AcpSession session) {
    synchronized (this) {
      turn = Optional.of(session);
      stopped = false;
    }
    endTurn(false);
  }

  /** Ends the open turn if something waits: a tool call has ended, and no other one runs. */
  void stepEnded() {
    endTurn(true);
  }

  private void endTurn(boolean betweenSteps) {
    Optional<AcpSession> toEnd;
    synchronized (this) {
      waiting.removeIf(this::said);
      boolean due =
          betweenSteps ? !waiting.isEmpty() : waiting.stream().anyMatch(SentMessage::interrupts);
      toEnd = due && !stopped ? turn : Optional.empty();
      if (toEnd.isPresent()) {
        stopped = true;
        stopUntil = System.nanoTime() + STOP_GRACE.toNanos();
      }
    }
    try {
      if (toEnd.isPresent()) {
        var unused = toEnd.get().cancel(); // Its open question is withdrawn with it.
      }
    } catch (AcpException e) {
      // It has ended, which the task's own thread is told.
    }
  }

  /** Sends a message into the open turn; returns whether the agent takes it there. */
  private boolean said(SentMessage message) {
    Delivery mode = message.interrupts() ? Delivery.INTERRUPT_IMMEDIATE : Delivery.FINISH_STEP;
    try {
      if (turn.isEmpty() || stopped || !turn.get().say(message.text(), mode)) {
        return false;
      }
      unheard.add(message);
      return true;
    } catch (AcpException e) {
      return false; // It has ended, which the task's own thread is told.
    }
  }

  /**
   * The agent has reported something: if that has arrived after what was sent into the turn, the
   * agent has it. What was held back to be reported in one piece may be of before.
   */
  synchronized void heard() {
    if (unheard.isEmpty() || !turn.map(AcpSession::hasReportedSinceMessage).orElse(false)) {
      return;
    }
    unheard.forEach(message -> told.add(message.text()));
    unheard.clear();
  }

  /** Records the end of the turn. What the agent may not have seen of it is said again. */
  synchronized void end() {
    turn = Optional.empty();
    waiting.addAll(0, unheard);
    unheard.clear();
  }

  /**
   * Takes nothing more from the core, so that what comes from now on keeps the task from ending.
   *
   * @return what waits as the text of a prompt; empty if nothing does
   */
  synchronized Optional<String> close() {
    closed = true;
    return prompt();
  }

  /** The task goes on: takes what has come. */
  void reopen() {
    synchronized (this) {
      closed = false;
    }
    take();
  }

  /** Returns whether something waits that the agent has yet to get. */
  synchronized boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** Returns how long to wait for the end of a turn that was to end; empty: any time. */
  synchronized Optional<Duration> patience() {
    return stopped
        ? Optional.of(Duration.ofNanos(Math.max(0, stopUntil - System.nanoTime())))
        : Optional.empty();
  }

  /** Returns what waits as the text of a prompt; empty if nothing does. */
  synchronized Optional<String> prompt() {
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    List<String> texts = waiting.stream().map(SentMessage::text).toList();
    waiting.clear();
    told.addAll(texts);
    return Optional.of(String.join("\n\n", texts));
  }

  /** Returns a prompt with what the user said before it that the agent did not get. */
  static String before(String unsaid, String prompt) {
    return unsaid.isEmpty()
        ? prompt
        : "As the last task ended, the user said, which you did not get:\n\n"
            + unsaid
            + (prompt.isBlank() ? "" : "\n\nAnd now:\n\n" + prompt);
  }

  /** Returns what the agent has been told besides the task's prompt, for one that starts anew. */
  synchronized String heardBefore() {
    return told.isEmpty()
        ? ""
        : told.stream()
            .collect(
                Collectors.joining(
                    "\n\n", "\n\nWhile you worked, the user said, which counts more:\n\n", ""));
  }
}
