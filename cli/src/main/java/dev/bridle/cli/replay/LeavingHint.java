package dev.bridle.cli.replay;

import java.io.PrintWriter;

/** Says how to go on if a signal ends this process while it follows something. */
final class LeavingHint {
  private final Thread hook;

  private LeavingHint(Thread hook) {
    this.hook = hook;
  }

  /**
   * Begins to wait for a signal.
   *
   * @param says what to print then
   */
  static LeavingHint of(PrintWriter err, String says) {
    Thread hook =
        new Thread(
            () -> {
              err.println("bridle: " + says);
              err.flush();
            },
            "replay-left");
    Runtime.getRuntime().addShutdownHook(hook);
    return new LeavingHint(hook);
  }

  /** Stops waiting. */
  void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and the hook has printed.
    }
  }
}
