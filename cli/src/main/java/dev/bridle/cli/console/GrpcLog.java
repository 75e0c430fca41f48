package dev.bridle.cli.console;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what gRPC logs by {@code java.util.logging} to the log of everything else. What its
 * transport tells is about what a peer sent (bytes that are no HTTP/2, a message that is too long):
 * one line at info, since any peer could fill the log with stack traces otherwise.
 */
final class GrpcLog extends Handler {
  private static final String TRANSPORT = "io.grpc.netty";

  /** Held, since {@code java.util.logging} forgets a logger that nobody holds. */
  private static final java.util.logging.Logger GRPC =
      java.util.logging.Logger.getLogger("io.grpc");

  /** Begins to take over what gRPC logs, in the place of what took it before. */
  void install() {
    GRPC.setUseParentHandlers(false);
    for (Handler before : GRPC.getHandlers()) {
      GRPC.removeHandler(before);
    }
    GRPC.addHandler(this);
  }

  @Override
  public void publish(LogRecord logged) {
    // What memory's end leaves undone ends the process, whoever tells of it, and how.
    boolean exhausted = MemoryExhaustion.isIn(logged.getThrown());
    if (logged.getLevel().intValue() < Level.INFO.intValue() && !exhausted) {
      return;
    }
    // Asked for late: this is installed while logging is still set up.
    Logger log = LoggerFactory.getLogger("dev.bridle.grpc");
    String name = logged.getLoggerName() == null ? "" : logged.getLoggerName();
    if (name.startsWith(TRANSPORT) && !exhausted) {
      log.info("{}{}", logged.getMessage(), reason(logged.getThrown()));
    } else if (exhausted || logged.getLevel().intValue() >= Level.SEVERE.intValue()) {
      log.error(logged.getMessage(), logged.getThrown());
    } else if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
      log.warn(logged.getMessage(), logged.getThrown());
    } else {
      log.info(logged.getMessage(), logged.getThrown());
    }
  }

  private static String reason(Throwable thrown) {
    return thrown == null ? "" : ": " + thrown.toString().lines().findFirst().orElse("");
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
