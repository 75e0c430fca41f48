package dev.bridle.cli.storage;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about storage. */
@Command(
    name = "storage",
    description = {
      "Check what is stored, and show how much it is.",
      "Works on a data directory, whether its server runs or not."
    },
    subcommands = {CheckCommand.class, StatsCommand.class},
    footer = {"%nExample:", "  bridle storage check --data-dir /var/lib/bridle"})
public final class StorageCommand extends CommandGroup {

  /** Made by picocli. */
  public StorageCommand() {}
}
