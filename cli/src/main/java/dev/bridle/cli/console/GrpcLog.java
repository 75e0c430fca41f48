package dev.bridle.cli.console;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards log records of gRPC from {@code java.util.logging} to SLF4J. Records of its transport
 * are about invalid input of a peer (bytes that are not HTTP/2, a message that is too long): they
 * are logged as one line at info level, since any peer could otherwise fill the log with stack
 * traces.
 */
final class GrpcLog extends Handler {
  private static final String TRANSPORT = "io.grpc.netty";

  /** A strong reference, since {@code java.util.logging} holds loggers weakly. */
  private static final java.util.logging.Logger GRPC =
      java.util.logging.Logger.getLogger("io.grpc");

  /** Installs this handler for gRPC's loggers and removes the previous handlers. */
  void install() {
    GRPC.setUseParentHandlers(false);
    for (Handler before : GRPC.getHandlers()) {
      GRPC.removeHandler(before);
    }
    GRPC.addHandler(this);
  }

  @Override
  public void publish(LogRecord logged) {
    // An out-of-memory error ends the process, whichever logger reports it.
    boolean exhausted = MemoryExhaustion.isIn(logged.getThrown());
    if (logged.getLevel().intValue() < Level.INFO.intValue() && !exhausted) {
      return;
    }
    // Resolved late: this is installed while logging is being configured.
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
