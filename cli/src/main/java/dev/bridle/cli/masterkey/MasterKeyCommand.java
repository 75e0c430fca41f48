package dev.bridle.cli.masterkey;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about the master key. */
@Command(
    name = "master-key",
    description = {
      "Make the key that secrets are sealed with before they are stored.",
      "A data directory makes its own at the first start; a cluster needs one file for all its"
          + " servers. Keep a copy apart from backups: without it no stored secret can be read."
    },
    subcommands = CreateMasterKeyCommand.class,
    footer = {"%nExample:", "  bridle master-key create /etc/bridle/master.key"})
public final class MasterKeyCommand extends CommandGroup {

  /** Made by picocli. */
  public MasterKeyCommand() {}
}
