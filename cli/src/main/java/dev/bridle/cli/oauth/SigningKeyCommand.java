package dev.bridle.cli.oauth;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about signing keys. */
@Command(
    name = "key",
    description = "List and rotate the keys that sign tokens and the card.",
    subcommands = {ListSigningKeysCommand.class, RotateKeyCommand.class},
    footer = {"%nExample:", "  bridle oauth key rotate"})
final class SigningKeyCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
