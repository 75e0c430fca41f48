package dev.bridle.cli.acp;

import java.util.Optional;

/** A session that the editor has open. At most one turn runs in it. Thread-safe. */
final class EditorSession {
  private final String id;
  private final Modes modes;
  private String mode;
  private Optional<Turn> running = Optional.empty();
  private Optional<WaitingTask> waiting = Optional.empty();
  private String notice;

  /**
   * A task that waits for the user's answer.
   *
   * @param stepKey the question's step; empty if it is not known
   * @param isForm whether a form is to be filled in
   * @param after the last event that the editor has seen
   */
  record WaitingTask(String id, String stepKey, boolean isForm, Optional<String> after) {}

  /**
   * Creates a session.
   *
   * @param notice what its user reads with the first prompt; may be empty
   */
  EditorSession(String id, Modes modes, String mode, String notice) {
    this.id = id;
    this.modes = modes;
    this.mode = mode;
    this.notice = notice;
  }

  String id() {
    return id;
  }

  Modes modes() {
    return modes;
  }

  synchronized String mode() {
    return mode;
  }

  /** Sets the mode of the prompts that follow. */
  synchronized void mode(String chosen) {
    if (!modes.has(chosen)) {
      throw AcpRefusal.badParams("modeId is not one of the session's modes");
    }
    mode = chosen;
  }

  /** Returns what the user is to read, once. */
  synchronized String takeNotice() {
    String taken = notice;
    notice = "";
    return taken;
  }

  /** Begins a turn; false if one runs. */
  synchronized boolean begin(Turn turn) {
    if (running.isPresent()) {
      return false;
    }
    running = Optional.of(turn);
    return true;
  }

  synchronized void end(Turn turn) {
    if (running.equals(Optional.of(turn))) {
      running = Optional.empty();
    }
  }

  /** Returns the turn that runs. */
  synchronized Optional<Turn> running() {
    return running;
  }

  synchronized void waitFor(WaitingTask task) {
    waiting = Optional.of(task);
  }

  /** Returns the task that waits for the user's next message, once. */
  synchronized Optional<WaitingTask> takeWaiting() {
    Optional<WaitingTask> taken = waiting;
    waiting = Optional.empty();
    return taken;
  }
}
