package dev.bridle.cli.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.fixtures.conformance.Check;
import dev.bridle.fixtures.conformance.Check.Verdict;
import dev.bridle.fixtures.harp.Category;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Prints and counts the results of checks. */
final class CheckOutput {
  private final PrintWriter out;
  private final boolean json;
  private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);

  CheckOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void print(Check check) {
    counts.merge(check.verdict(), 1, Integer::sum);
    if (json) {
      out.println(line(check));
    } else {
      out.println(verdict(check) + "  " + check.story() + ": " + check.name());
      if (!check.reason().isEmpty()) {
        out.println("         " + check.reason());
      }
      if (check.verdict() == Verdict.FAILED && !check.section().isEmpty()) {
        out.println("         required by the protocol's section '" + check.section() + "'");
      }
    }
    out.flush();
  }

  /** Prints the summary and returns whether at least one check passed and none failed. */
  boolean summary() {
    int passed = count(Verdict.PASSED);
    int failed = count(Verdict.FAILED);
    int skipped = count(Verdict.SKIPPED);
    if (json) {
      out.println(
          JsonLines.object()
              .put("type", "summary")
              .put("passed", passed)
              .put("failed", failed)
              .put("skipped", skipped));
    } else {
      out.println(passed + " passed, " + failed + " failed, " + skipped + " skipped.");
      if (passed + failed == 0) {
        out.println("No check ran. Make sure that --story names a story of this level.");
      }
    }
    return failed == 0 && passed > 0;
  }

  private int count(Verdict verdict) {
    return counts.getOrDefault(verdict, 0);
  }

  private static String verdict(Check check) {
    return switch (check.verdict()) {
      case PASSED -> "passed ";
      case FAILED -> "FAILED ";
      case SKIPPED -> "skipped";
    };
  }

  private static ObjectNode line(Check check) {
    return JsonLines.object()
        .put("type", "check")
        .put("story", check.story())
        .put("name", check.name())
        .put("category", check.category().map(Category::spelled).orElse(""))
        .put("section", check.section())
        .put("verdict", check.verdict().name().toLowerCase(Locale.ROOT))
        .put("reason", check.reason())
        .put("millis", check.took().toMillis());
  }
}
