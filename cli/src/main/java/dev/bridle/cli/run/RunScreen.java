package dev.bridle.cli.run;

import dev.bridle.cli.console.Rows;
import dev.bridle.cli.console.TerminalWidth;
import dev.bridle.cli.console.TerminalWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.Set;

/**
 * What is printed and typed.
 *
 * @param output prints
 * @param terminal reads; empty where there is none
 */
record RunScreen(RunOutput output, Optional<Terminal> terminal) {
  private static final Set<String> INCAPABLE = Set.of("", "dumb", "unknown");

  /** Prints to writers, and reads lines. */
  static RunScreen plain(PrintWriter out, PrintWriter notices, boolean json) {
    boolean shown = json || out instanceof TerminalWriter;
    Rows rows = new Rows(shown ? TerminalWidth.watch(() -> {}) : () -> Integer.MAX_VALUE);
    return new RunScreen(new RunOutput(out, notices, json, rows), Terminal.open());
  }

  /**
   * Has prompts edited; empty where the terminal can't.
   *
   * @param type the terminal's type, as TERM says
   */
  static Optional<RunScreen> edited(RunFolder place, String type) {
    if (INCAPABLE.contains(type)) {
      return Optional.empty();
    }
    try {
      EditedTerminal terminal =
          EditedTerminal.open(type, PromptHistory.file(place.data(), place.name()));
      PrintWriter out = new PrintWriter(terminal.writer());
      Rows rows = new Rows(TerminalWidth.watch(terminal::resized));
      return Optional.of(
          new RunScreen(new RunOutput(out, out, false, rows), Optional.of(terminal)));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // It has no stty, say.
    }
  }
}
