package dev.bridle.cli.storage;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about storage. */
@Command(
    name = "storage",
    description = {
      "Check what is stored, and show how much it is.",
      "Works on a data directory, whether its server runs or not."
    },
    subcommands = {CheckCommand.class, StatsCommand.class},
    footer = {"%nExample:", "  bridle storage check --data-dir /var/lib/bridle"})
public final class StorageCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public StorageCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
