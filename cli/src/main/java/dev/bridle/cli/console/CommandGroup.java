package dev.bridle.cli.console;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that is nothing without one of those below it. */
public abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }

  /** Returns what picocli knows of this command. */
  protected final CommandSpec spec() {
    return spec;
  }
}
