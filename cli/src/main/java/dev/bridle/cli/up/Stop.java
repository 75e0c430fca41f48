package dev.bridle.cli.up;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops the server when the process receives a signal or when the store has failed. */
final class Stop {
  private static final Logger log = LoggerFactory.getLogger(Stop.class);

  private final LocalServer server;
  private final Thread hook;

  private Stop(LocalServer server) {
    this.server = server;
    this.hook = new Thread(this::onSignal, "bridle-stop");
  }

  /** Makes SIGTERM and SIGINT stop the server and exit with 0 if it stopped cleanly. */
  static Stop onSignal(LocalServer server) {
    Stop stop = new Stop(server);
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  /**
   * Stops the server now. The caller sets the exit code.
   *
   * @return whether every component stopped cleanly
   */
  boolean now() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.debug("The process is already shutting down", e);
      return true;
    }
    try {
      server.close();
      return true;
    } catch (RuntimeException e) {
      log.debug("Not every component stopped cleanly", e);
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
    // A requested stop is a success; the default exit code 143 would report a failure.
    Runtime.getRuntime().halt(0);
  }
}
