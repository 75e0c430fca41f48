package dev.bridle.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a script that completes commands and options in a shell. */
@Command(
    name = "completion",
    description = {
      "Print a script that completes commands and options in bash and zsh.",
      "Read it at the start of the shell, as in the example."
    },
    footer = {
      "%nExamples:",
      "  source <(bridle completion)",
      "  bridle completion > ~/.local/share/bash-completion/completions/bridle"
    })
final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Creates the command; called by picocli. */
  CompletionCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash("bridle", Bridle.commandLine()));
    out.flush();
  }
}
