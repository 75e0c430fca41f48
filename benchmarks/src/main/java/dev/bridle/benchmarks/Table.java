package dev.bridle.benchmarks;

import java.io.PrintStream;
import java.util.Locale;

/** Figures as lines below each other. */
final class Table {
  private final PrintStream out;

  Table(PrintStream out) {
    this.out = out;
  }

  void title(String what) {
    out.printf(
        Locale.ROOT,
        "JDK %s, %d processors; %s%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        what);
  }

  void head(String... columns) {
    out.printf("%-44s %6s", "", columns[0]);
    for (int i = 1; i < columns.length; i++) {
      out.printf(" %14s", columns[i]);
    }
    out.println();
  }

  void line(String what, int at, double... figures) {
    out.printf(Locale.ROOT, "%-44s %6d", what, at);
    for (double figure : figures) {
      out.printf(Locale.ROOT, figure >= 1000 ? " %,14.0f" : " %,14.2f", figure);
    }
    out.println();
  }
}
