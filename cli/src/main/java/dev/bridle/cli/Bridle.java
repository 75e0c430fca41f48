package dev.bridle.cli;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.console.TerminalWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The root command. */
@Command(
    name = "bridle",
    description = "A self-hosted harness server for AI agents.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:done",
      " 1:rejected or failed; the reason and what to do next are on stderr",
      " 2:wrong usage",
      " 3:no server could be reached",
      " 4:the watched task ended as FAILED or CANCELED",
      " 5:the watched task waits for input or approval",
      " 6:the storage check found problems that are not repaired",
      " 7:the server does not conform to the protocol",
      " 8:a receipt is not valid, or a log is not the one of its receipt",
      " 9:nothing failed, but it is not proven, or a required check could not be made",
      "10:the agent could not be started, or needs a login",
      "11:the tested agent acts without asking",
      "12:done, and all that the agent asked for was denied",
      "13:the phone has not received the test yet"
    },
    footer = {"%nExample:", "  bridle up", "  bridle demo"})
public final class Bridle implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /** Creates the command; called by picocli. */
  public Bridle() {}

  /** Runs a command and returns its exit code. */
  static int run(String... arguments) {
    CommandLine line = commandLine(arguments);
    if (Boolean.getBoolean(TerminalWriter.PROPERTY)) {
      line.setOut(TerminalWriter.of(line.getOut(), arguments));
    }
    if (Boolean.getBoolean(TerminalWriter.ERRORS_PROPERTY)) {
      line.setErr(new TerminalWriter(line.getErr()));
    }
    return line.execute(arguments);
  }

  /** Returns a command line for these arguments; without arguments, one with all commands. */
  public static CommandLine commandLine(String... arguments) {
    return CommandTree.of(arguments);
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "A command is missing. Expected one of those listed below.");
  }

  static int explain(Exception failure, CommandLine line, CommandLine.ParseResult arguments) {
    if (failure instanceof CommandFailed known) {
      line.getErr().println("bridle: " + ShownText.message(known.getMessage()));
      return known.exitCode();
    }
    line.getErr().println("bridle: internal error, please report it:");
    failure.printStackTrace(line.getErr());
    return ExitCodes.FAILED;
  }
}
