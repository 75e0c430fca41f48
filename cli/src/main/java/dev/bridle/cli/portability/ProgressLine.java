package dev.bridle.cli.portability;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalLong;

/** Prints the progress of a long command to stderr, at most once per second. */
final class ProgressLine {
  private static final long EVERY_NANOS = 1_000_000_000L;
  private static final double MIB = 1 << 20;

  private final PrintWriter err;
  private long toldNanos = System.nanoTime();

  ProgressLine(PrintWriter err) {
    this.err = err;
  }

  void at(String doing, long bytes, OptionalLong of) {
    long now = System.nanoTime();
    if (now - toldNanos < EVERY_NANOS) {
      return;
    }
    toldNanos = now;
    String done = String.format(Locale.ROOT, "%.1f", bytes / MIB);
    String all = of.isPresent() ? String.format(Locale.ROOT, " of %.1f", of.getAsLong() / MIB) : "";
    err.println("bridle: " + doing + ": " + done + all + " MiB");
    err.flush();
  }
}
