package dev.bridle.host.task;

import dev.bridle.host.acp.Question;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.ChangedQuestion;
import dev.bridle.worker.TaskCancelled;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskSuspended;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * The agent's question that the task's thread waits with for people. Where the agent does not wait
 * for the answer any more, it is withdrawn, so that nobody answers in vain. Thread-safe.
 */
final class OpenQuestion {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final TaskContext task;
  private final Set<Question> closed = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Question> changed = Collections.newSetFromMap(new IdentityHashMap<>());
  private Optional<Question> open = Optional.empty();
  private String key = "";

  OpenQuestion(TaskContext task) {
    this.task = task;
  }

  /** Returns whether the agent waits for an answer; if so, the question is open from now on. */
  synchronized boolean begin(Question question, String stepKey) {
    if (closed.remove(question) || changed.contains(question)) {
      return false;
    }
    open = Optional.of(question);
    key = stepKey;
    return true;
  }

  synchronized void end() {
    open = Optional.empty();
  }

  /** By the agent's connection: it does not wait for this answer any more. */
  synchronized void closed(Question question) {
    if (!isOpen(question)) {
      closed.add(question);
      return;
    }
    start(question, task::withdraw);
  }

  /** By the agent's connection: it asks for another action now, by another question. */
  synchronized void changed(Question question) {
    changed.add(question);
    if (isOpen(question)) {
      start(question, asked -> task.change(asked) != ChangedQuestion.UNCHANGED);
    }
  }

  /** Returns whether another question has taken the place of this one. */
  synchronized boolean hasChanged(Question question) {
    return changed.contains(question);
  }

  /** By the agent's connection: the task is going to end, whatever is answered. */
  synchronized void abandon() {
    open.ifPresent(question -> start(question, task::withdraw));
  }

  private void start(Question question, Predicate<String> withdrawal) {
    String asked = key;
    Thread thread = new Thread(() -> withdraw(question, asked, withdrawal), "agent-withdrawal");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns whether the task's thread waits with a question. */
  synchronized boolean isOpen() {
    return open.isPresent();
  }

  private synchronized boolean isOpen(Question question) {
    return open.isPresent() && open.get() == question;
  }

  /** Repeats, since the task's thread may be on its way to ask. */
  private void withdraw(Question question, String asked, Predicate<String> withdrawal) {
    try {
      while (isOpen(question) && !withdrawal.test(asked)) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (TaskCancelled | TaskSuspended | CallRefused e) {
      // The task's own thread gets this as well.
    }
  }
}
