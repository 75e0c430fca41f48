package dev.bridle.cli.masterkey;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about the master key. */
@Command(
    name = "master-key",
    description = {
      "Create the master key that encrypts stored secrets.",
      "A data directory gets its own at the first start; a cluster needs one file for all its"
          + " servers. Keep a copy apart from backups: without it, no stored secret can be"
          + " decrypted."
    },
    subcommands = CreateMasterKeyCommand.class,
    footer = {"%nExample:", "  bridle master-key create /etc/bridle/master.key"})
public final class MasterKeyCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public MasterKeyCommand() {}
}
