package dev.bridle.cli.run;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.ScreenTerminal;

/** What a terminal shows of an output. */
final class Screen {
  static final int COLUMNS = 40;
  private static final int ROWS = 400;

  private final int columns;
  private final ScreenTerminal terminal;
  private final long[] cells;
  private final int[] cursor = new int[2];

  private Screen(int columns) {
    this.columns = columns;
    this.terminal = new ScreenTerminal(columns, ROWS);
    this.cells = new long[columns * ROWS];
  }

  /** Returns what is on the screen after an output, on which a line break begins a row. */
  static Screen of(String output) {
    return of(output, COLUMNS);
  }

  /** Returns what is on a screen of a width after an output. */
  static Screen of(String output, int columns) {
    Screen screen = new Screen(columns);
    var unused = screen.terminal.write(output.replace("\n", "\r\n"));
    screen.terminal.dump(screen.cells, screen.cursor);
    return screen;
  }

  /** Returns the rows without those at the end that are empty. */
  List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      StringBuilder text = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        int point = ScreenTerminal.cellCodePoint(cells[row * columns + column]);
        if (point != 0) {
          text.appendCodePoint(point);
        }
      }
      rows.add(text.toString().stripTrailing());
    }
    while (!rows.isEmpty() && rows.get(rows.size() - 1).isEmpty()) {
      rows.remove(rows.size() - 1);
    }
    return rows;
  }

  /** Returns whether something has a colour, or is emphasized or hidden. */
  boolean isStyled() {
    for (long cell : cells) {
      if (ScreenTerminal.cellBold(cell)
          || ScreenTerminal.cellInverse(cell)
          || ScreenTerminal.cellConceal(cell)
          || ScreenTerminal.cellUnderline(cell)
          || ScreenTerminal.cellHasForeground(cell)
          || ScreenTerminal.cellHasBackground(cell)) {
        return true;
      }
    }
    return false;
  }

  int cursorColumn() {
    return cursor[0];
  }

  int cursorRow() {
    return cursor[1];
  }

  /** Returns what the terminal answers, as it does to questions for its state. */
  String answers() {
    return terminal.read();
  }
}
