package dev.bridle.cli.run;

import java.util.function.Consumer;
import org.jline.utils.Signals;

/**
 * Ctrl-C: the first one cancels the running task, truthfully: what the agent was doing is recorded
 * as it ends. The second one leaves; the task then goes on at the next start. Without a task, the
 * first one leaves.
 */
final class Interrupts {
  private final Consumer<String> cancel;
  private final RunOutput output;
  private String task = "";
  private boolean stopped;
  private boolean leaving;

  Interrupts(Consumer<String> cancel, RunOutput output) {
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
    Thread thread = new Thread(() -> cancel.accept(canceled), "bridle-run-cancel");
    thread.setDaemon(true);
    thread.start();
  }
}
