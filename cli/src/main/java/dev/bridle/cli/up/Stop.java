package dev.bridle.cli.up;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops the server when the process is told to end. */
final class Stop {
  private static final Logger log = LoggerFactory.getLogger(Stop.class);

  private Stop() {}

  /**
   * Makes SIGTERM and SIGINT stop the server first, and end the process with 0 where that went
   * well.
   */
  static void onSignal(LocalServer server) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "bridle-stop"));
  }

  private static void stop(LocalServer server) {
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
