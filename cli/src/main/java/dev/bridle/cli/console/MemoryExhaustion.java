package dev.bridle.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Ends the process where memory ends. Java does so by itself where its heap is full ({@code
 * -XX:+ExitOnOutOfMemoryError}), but not where libraries find that there is no more direct memory,
 * nor where it can start no more threads: then the same error is thrown, logged at some level, and
 * the process goes on with a part of its work undone. So whatever is logged is looked at here, and
 * whatever ends a thread.
 */
public final class MemoryExhaustion extends TurboFilter implements Thread.UncaughtExceptionHandler {
  /** What Java itself exits with where its heap is full. */
  private static final int EXIT = 3;

  private static final int DEEPEST = 20;

  private final Runnable end;

  /** Ends the process by this, which must take no memory. */
  MemoryExhaustion(Runnable end) {
    this.end = end;
  }

  /** Ends this process at once, since to stop it in order would take memory. */
  static MemoryExhaustion ofThisProcess() {
    return new MemoryExhaustion(() -> Runtime.getRuntime().halt(EXIT));
  }

  /** Watches from now on what ends threads of this process. */
  public static void watchThreads() {
    Thread.setDefaultUncaughtExceptionHandler(ofThisProcess());
  }

  /** Whether a failure is that memory has ended, or comes of it. */
  static boolean isIn(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  @Override
  public FilterReply decide(
      Marker marker, Logger logger, Level level, String format, Object[] params, Throwable thrown) {
    if (thrown != null) {
      endIfIn(thrown);
    } else if (params != null
        && params.length > 0
        && params[params.length - 1] instanceof Throwable last) {
      endIfIn(last);
    }
    return FilterReply.NEUTRAL;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    endIfIn(failure);
    LoggerFactory.getLogger(MemoryExhaustion.class)
        .error("The thread {} ended", thread.getName(), failure);
  }

  private void endIfIn(Throwable failure) {
    if (isIn(failure)) {
      // Not by the log, which this is a part of.
      System.err.println(
          "bridle: Memory has ended ("
              + failure
              + "); so does the process, and nothing that was acknowledged is lost. Start it again,"
              + " with more memory (BRIDLE_JAVA_OPTS=-Xmx1g) if this comes back.");
      end.run();
    }
  }
}
