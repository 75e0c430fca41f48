package dev.bridle.cli.run;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jline.utils.Signals;

/**
 * Ctrl-C: it empties a prompt that is edited. Else the first one cancels the running task,
 * truthfully: what the agent was doing is recorded as it ends. A second one leaves; within the
 * grace it does so before anything is canceled, and the task goes on at the next start. Without a
 * task, the first one leaves.
 */
final class Interrupts {
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final BiConsumer<String, String> cancel;
  private final RunOutput output;
  private final BooleanSupplier empties;
  private String task = "";
  private boolean stopped;
  private boolean leaving;
  private boolean expired;

  /**
   * Creates it.
   *
   * @param cancel cancels a task, for a reason
   * @param empties empties the prompt that is typed; false if there is none
   */
  Interrupts(BiConsumer<String, String> cancel, RunOutput output, BooleanSupplier empties) {
    this.cancel = cancel;
    this.output = output;
    this.empties = empties;
  }

  void install() {
    var unused = Signals.register("INT", this::interrupt);
  }

  /** Names the task that runs; empty if none does. */
  synchronized void running(String id) {
    task = id;
    if (!id.isEmpty()) {
      stopped = false;
      if (expired) {
        cancelAside(id, "its time was up");
      }
    }
  }

  /** Cancels the running task, and each later one: there is no time left. */
  synchronized void expire() {
    if (!expired) {
      expired = true;
      running(task);
    }
    notifyAll();
  }

  /** Returns whether the last task was interrupted. */
  synchronized boolean stopped() {
    return stopped;
  }

  /** Returns whether the person leaves. */
  synchronized boolean leaving() {
    return leaving;
  }

  private void interrupt() {
    if (isFirst() && empties.getAsBoolean()) {
      return;
    }
    String canceled;
    synchronized (this) {
      if (task.isEmpty() || stopped) {
        leaving = true;
        notifyAll();
        return;
      }
      stopped = true;
      canceled = task;
    }
    output.note("stopping in " + GRACE.toSeconds() + " s; Ctrl-C again leaves it running");
    aside(() -> stop(canceled));
  }

  private synchronized boolean isFirst() {
    return !leaving && (task.isEmpty() || !stopped);
  }

  private void cancelAside(String id, String reason) {
    aside(() -> cancel.accept(id, reason));
  }

  private static void aside(Runnable work) {
    Thread thread = new Thread(work, "bridle-run-cancel");
    thread.setDaemon(true);
    thread.start();
  }

  private void stop(String canceled) {
    try {
      if (isStillWanted(canceled)) {
        cancel.accept(canceled, "interrupted at the terminal");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the grace; returns false if the task has ended, or the person has left. */
  private synchronized boolean isStillWanted(String canceled) throws InterruptedException {
    long until = System.nanoTime() + GRACE.toNanos();
    long left = GRACE.toMillis();
    while (left > 0 && !leaving && task.equals(canceled)) {
      wait(left);
      left = (until - System.nanoTime()) / 1_000_000;
    }
    return !leaving && task.equals(canceled);
  }
}
