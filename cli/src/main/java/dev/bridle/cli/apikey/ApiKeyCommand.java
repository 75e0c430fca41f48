package dev.bridle.cli.apikey;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about API keys. */
@Command(
    name = "apikey",
    description = {
      "Make, list and revoke API keys.",
      "Works on a data directory, whether its server runs or not."
    },
    subcommands = {CreateKeyCommand.class, ListKeysCommand.class, RevokeKeyCommand.class},
    footer = {"%nExample:", "  bridle apikey create --actor ci --scope tasks:write"})
public final class ApiKeyCommand implements Runnable {

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public ApiKeyCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
