package dev.bridle.cli.replay;

import dev.bridle.cli.console.TerminalWriter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints once a second how far a replay is, if somebody looks at it. */
final class ReplayProgress {
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  private final PrintWriter err;
  private final boolean isShown;
  private long printedAt = System.nanoTime();

  ReplayProgress(PrintWriter err) {
    this.err = err;
    this.isShown = err instanceof TerminalWriter;
  }

  void at(long events) {
    if (isShown && System.nanoTime() - printedAt > PAUSE_NANOS) {
      printedAt = System.nanoTime();
      err.println(String.format(Locale.ROOT, "%,d events replayed", events));
      err.flush();
    }
  }
}
