package dev.bridle.cli.run;

import java.util.function.BiConsumer;
import org.jline.utils.Signals;

/**
 * Ctrl-C: the first one cancels the running task, truthfully: what the agent was doing is recorded
 * as it ends. The second one leaves; the task then goes on at the next start. Without a task, the
 * first one leaves.
 */
final class Interrupts {
  private final BiConsumer<String, String> cancel;
  private final RunOutput output;
  private String task = "";
  private boolean stopped;
  private boolean leaving;
  private boolean expired;

  /**
   * Creates it.
   *
   * @param cancel cancels a task, for a reason
   */
  Interrupts(BiConsumer<String, String> cancel, RunOutput output) {
    this.cancel = cancel;
    this.output = output;
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
    String canceled;
    synchronized (this) {
      if (task.isEmpty() || stopped) {
        leaving = true;
        return;
      }
      stopped = true;
      canceled = task;
    }
    output.note("stopping the task; Ctrl-C again leaves it to the next start");
    cancelAside(canceled, "interrupted at the terminal");
  }

  private void cancelAside(String id, String reason) {
    Thread thread = new Thread(() -> cancel.accept(id, reason), "bridle-run-cancel");
    thread.setDaemon(true);
    thread.start();
  }
}
