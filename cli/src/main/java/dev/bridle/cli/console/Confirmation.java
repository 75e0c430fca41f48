package dev.bridle.cli.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Has a person confirm what can't be taken back; a script has to say that it knows. */
public final class Confirmation {
  private Confirmation() {}

  /**
   * Returns whether a person has typed a word at the terminal.
   *
   * @param ask what is printed before they type, on {@code shown}
   * @throws ParameterException if there is no terminal
   */
  public static boolean typed(CommandSpec spec, PrintWriter shown, String ask, String word) {
    return word.equals(
        line(spec, shown, ask, "Without a terminal to confirm at, --yes is required."));
  }

  /**
   * Returns the line that a person types at the terminal.
   *
   * @param ask what is printed before they type, on {@code shown}
   * @param otherwise what the command says without a terminal
   * @throws ParameterException if there is no terminal
   */
  public static String line(CommandSpec spec, PrintWriter shown, String ask, String otherwise) {
    if (!(spec.commandLine().getOut() instanceof TerminalWriter)) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
    shown.print(ask);
    shown.flush();
    return firstLine();
  }

  private static String firstLine() {
    try {
      String line =
          new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
      return line == null ? "" : line.strip();
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The answer can't be read: " + e.getMessage(), e);
    }
  }
}
