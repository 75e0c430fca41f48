package dev.bridle.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Ends the process on an out-of-memory error. Java does so itself when the heap is full ({@code
 * -XX:+ExitOnOutOfMemoryError}), but not when libraries run out of direct memory or when no thread
 * can be started: the error is then only thrown and logged, and the process continues in an
 * undefined state. Therefore this inspects every logged exception and every exception that ends a
 * thread.
 */
public final class MemoryExhaustion extends TurboFilter implements Thread.UncaughtExceptionHandler {
  /** The exit code of Java when its heap is full. */
  private static final int EXIT = 3;

  private static final int DEEPEST = 20;

  private final Runnable end;

  /** Creates a handler that ends the process with an action that must not allocate memory. */
  MemoryExhaustion(Runnable end) {
    this.end = end;
  }

  /** Returns a handler that halts this process at once, since an orderly stop would need memory. */
  static MemoryExhaustion ofThisProcess() {
    return new MemoryExhaustion(() -> Runtime.getRuntime().halt(EXIT));
  }

  /** Installs a handler for uncaught exceptions of all threads. */
  public static void watchThreads() {
    Thread.setDefaultUncaughtExceptionHandler(ofThisProcess());
  }

  /** Returns whether a failure is, or was caused by, an out-of-memory error. */
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
      // Not with a logger, since this is part of logging.
      System.err.println(
          "bridle: Out of memory ("
              + failure
              + "); the process exits. No acknowledged data is lost. Start it again,"
              + " with more memory (BRIDLE_JAVA_OPTS=-Xmx1g) if this happens again.");
      end.run();
    }
  }
}
