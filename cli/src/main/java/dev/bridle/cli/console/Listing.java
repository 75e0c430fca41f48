package dev.bridle.cli.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Prints a list of resources. On a terminal, prints a table with headings when it is closed;
 * otherwise prints each row at once as one line without headings, for scripts.
 */
public final class Listing implements AutoCloseable {
  private static final int GAP = 2;

  private final PrintWriter out;
  private final boolean table;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Creates a list with these columns.
   *
   * @param json whether the rows are JSON, which is printed without headings
   */
  public Listing(PrintWriter out, boolean json, String... headings) {
    this.out = out;
    this.table = out instanceof TerminalWriter && !json;
    rows.add(List.of(headings));
  }

  /**
   * Adds a row.
   *
   * @param line the row in the format for scripts
   * @param cells the row's value in each column
   */
  public void add(String line, String... cells) {
    if (table) {
      rows.add(List.of(cells));
    } else {
      out.println(line);
      out.flush();
    }
  }

  /** Prints the table. */
  @Override
  public void close() {
    if (!table) {
      return;
    }
    List<Integer> columns =
        IntStream.range(0, rows.get(0).size()).filter(this::isUsed).boxed().toList();
    Map<Integer, Integer> widths = new HashMap<>();
    for (int column : columns) {
      int width = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
      widths.put(column, width + GAP);
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column : columns) {
        String cell = row.get(column);
        line.append(cell).append(" ".repeat(widths.get(column) - cell.length()));
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }

  /** Returns whether any row has a value in a column; unused columns are omitted. */
  private boolean isUsed(int column) {
    return rows.size() == 1 || rows.stream().skip(1).anyMatch(row -> !row.get(column).isEmpty());
  }
}
