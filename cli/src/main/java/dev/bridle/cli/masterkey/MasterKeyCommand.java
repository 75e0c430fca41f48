package dev.bridle.cli.masterkey;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
public final class MasterKeyCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public MasterKeyCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
