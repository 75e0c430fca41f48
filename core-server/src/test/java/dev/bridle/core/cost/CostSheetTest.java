package dev.bridle.core.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.kit.count.Cost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a task costs in storage, as {@code core-server/cost-sheet.md} says. A change that costs more
 * or less changes the sheet: {@code -Dbridle.cost-sheet=write} writes it anew.
 */
class CostSheetTest {
  private static final Path SHEET = Path.of("cost-sheet.md");
  private static final int TASKS = 20;
  // The first task of a server makes what all others find.
  private static final int UNCOUNTED = 3;

  private static List<String> rows = List.of();

  @BeforeAll
  static void count() throws IOException {
    rows =
        List.of(
            row("trivial handler", (core, n) -> core.trivialTask(core.owner())),
            row(
                "trivial handler, idempotency key",
                (core, n) -> core.trivialTask(core.withKey("key-" + n))),
            row("demo agent", (core, n) -> core.demoTask(core.owner())),
            row(
                "demo agent, each report by itself",
                (core, n) -> core.demoTaskWithoutBatches(core.owner())));
    rows.forEach(System.out::println);
    if ("write".equals(System.getProperty("bridle.cost-sheet"))) {
      List<String> lines = new ArrayList<>(Files.readAllLines(SHEET));
      lines.removeIf(CostSheetTest::isRow);
      lines.addAll(
          lines.indexOf(
                  lines.stream().filter(line -> line.startsWith("|---")).findFirst().orElseThrow())
              + 1,
          rows);
      Files.write(SHEET, lines);
    }
  }

  @Test
  void transactionsAndMutationsAreThoseOfTheSheet() throws IOException {
    assertThat(rows.stream().map(CostSheetTest::exact).toList())
        .isEqualTo(
            Files.readAllLines(SHEET).stream()
                .filter(CostSheetTest::isRow)
                .map(CostSheetTest::exact)
                .toList());
  }

  private static String row(String name, BiConsumer<CountedCore, Integer> task) {
    List<Cost> costs = new ArrayList<>();
    long calls;
    try (CountedCore core = new CountedCore()) {
      for (int n = 0; n < UNCOUNTED; n++) {
        task.accept(core, n);
      }
      long before = core.calls();
      for (int n = UNCOUNTED; n < UNCOUNTED + TASKS; n++) {
        Cost was = core.cost();
        task.accept(core, n);
        costs.add(core.cost().since(was));
      }
      calls = (core.calls() - before) / TASKS;
    }
    return "| task of the "
        + name
        + " | "
        + range(costs, Cost::transactions)
        + " | "
        + range(costs, Cost::sets)
        + " + "
        + range(costs, Cost::adds)
        + " + "
        + range(costs, Cost::clears)
        + " | "
        + range(costs, Cost::mutations)
        + " | "
        + calls
        + " | "
        + range(costs, Cost::bytes)
        + " | "
        + range(costs, Cost::reads)
        + " |";
  }

  private static String range(List<Cost> costs, ToLongFunction<Cost> of) {
    long least = costs.stream().mapToLong(of).min().orElseThrow();
    long most = costs.stream().mapToLong(of).max().orElseThrow();
    return least == most ? String.valueOf(least) : least + " to " + most;
  }

  private static boolean isRow(String line) {
    return line.startsWith("| task of");
  }

  /** Returns the part of a row that is the same in every run: all but bytes and reads. */
  private static String exact(String row) {
    String[] cells = row.split("\\|", -1);
    return String.join("|", List.of(cells).subList(0, 6));
  }
}
