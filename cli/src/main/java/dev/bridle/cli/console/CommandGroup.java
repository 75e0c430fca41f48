package dev.bridle.cli.console;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups subcommands. */
public abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing. Expected one of those listed below.");
  }

  /** Returns the picocli specification of this command. */
  protected final CommandSpec spec() {
    return spec;
  }
}
