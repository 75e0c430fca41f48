package dev.bridle.cli.storage;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about storage. */
@Command(
    name = "storage",
    description = {
      "Check stored data and show its size.",
      "Works on a data directory, with or without a running server."
    },
    subcommands = {CheckCommand.class, StatsCommand.class},
    footer = {"%nExample:", "  bridle storage check --data-dir /var/lib/bridle"})
public final class StorageCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public StorageCommand() {}
}
