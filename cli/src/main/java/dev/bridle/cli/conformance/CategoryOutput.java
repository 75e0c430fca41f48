package dev.bridle.cli.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.fixtures.conformance.Check;
import dev.bridle.fixtures.conformance.Check.Verdict;
import dev.bridle.fixtures.harp.Category;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Tells what was found for each category of HARP's compliance, and which were not tested. */
final class CategoryOutput {
  private static final String OF_ENFORCERS =
      "it is the enforcer's, which a gateway can't be tested for";
  private static final String NOT_RUN = "no story of it ran";

  private final PrintWriter out;
  private final boolean json;
  private final Map<Category, List<Check>> checks = new EnumMap<>(Category.class);

  CategoryOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void add(Check check) {
    check
        .category()
        .ifPresent(
            category -> checks.computeIfAbsent(category, none -> new ArrayList<>()).add(check));
  }

  void print() {
    if (!json) {
      out.println("Categories of HARP's compliance:");
    }
    for (Category category : Category.values()) {
      out.println(json ? line(category) : "  " + text(category));
    }
    out.flush();
  }

  private String text(Category category) {
    String told =
        isTested(category)
            ? String.format(
                Locale.ROOT,
                "%d passed, %d failed, %d skipped: %s",
                count(category, Verdict.PASSED),
                count(category, Verdict.FAILED),
                count(category, Verdict.SKIPPED),
                String.join(", ", stories(category)))
            : "not tested: " + reason(category);
    return "%-20s ".formatted(category.spelled()) + told;
  }

  private ObjectNode line(Category category) {
    ObjectNode line =
        JsonLines.object()
            .put("type", "category")
            .put("category", category.spelled())
            .put("tested", isTested(category));
    if (!isTested(category)) {
      return line.put("reason", reason(category));
    }
    line.put("passed", count(category, Verdict.PASSED))
        .put("failed", count(category, Verdict.FAILED))
        .put("skipped", count(category, Verdict.SKIPPED));
    ArrayNode names = line.putArray("stories");
    stories(category).forEach(names::add);
    return line;
  }

  private boolean isTested(Category category) {
    return checks.containsKey(category);
  }

  private static String reason(Category category) {
    return category.isOfGateways() ? NOT_RUN : OF_ENFORCERS;
  }

  private long count(Category category, Verdict verdict) {
    return checks.get(category).stream().filter(check -> check.verdict() == verdict).count();
  }

  private Set<String> stories(Category category) {
    return checks.get(category).stream()
        .map(Check::story)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
