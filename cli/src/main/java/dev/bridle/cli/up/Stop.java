package dev.bridle.cli.up;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops the server when the process is told to end, or when it can't go on. */
final class Stop {
  private static final Logger log = LoggerFactory.getLogger(Stop.class);

  private final LocalServer server;
  private final Thread hook;

  private Stop(LocalServer server) {
    this.server = server;
    this.hook = new Thread(this::onSignal, "bridle-stop");
  }

  /**
   * Makes SIGTERM and SIGINT stop the server first, and end the process with 0 where that went
   * well.
   */
  static Stop onSignal(LocalServer server) {
    Stop stop = new Stop(server);
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  /**
   * Stops the server at once and leaves the exit code to the caller.
   *
   * @return whether every part stopped well
   */
  boolean now() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.debug("The process ends already", e);
      return true;
    }
    try {
      server.close();
      return true;
    } catch (RuntimeException e) {
      log.debug("Not every part stopped well", e);
      return false;
    }
  }

  private void onSignal() {
    try {
      server.close();
      log.info("Stopped");
    } catch (RuntimeException e) {
      log.error("The server did not stop cleanly", e);
      Runtime.getRuntime().halt(1);
    }
    // A process that was asked to stop and did so has not failed, which 143 would say.
    Runtime.getRuntime().halt(0);
  }
}
