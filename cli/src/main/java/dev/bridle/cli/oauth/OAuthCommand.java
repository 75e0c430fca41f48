package dev.bridle.cli.oauth;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about OAuth. */
@Command(
    name = "oauth",
    description = "Register OAuth clients, and manage the keys that sign their tokens.",
    subcommands = {ClientCommand.class, SigningKeyCommand.class},
    footer = {"%nExample:", "  bridle oauth client create --actor ci --scope tasks:write"})
public final class OAuthCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public OAuthCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
