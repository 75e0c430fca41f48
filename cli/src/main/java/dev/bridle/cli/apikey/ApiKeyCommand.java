package dev.bridle.cli.apikey;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about API keys. */
@Command(
    name = "apikey",
    description = {
      "Create, list and revoke API keys.",
      "Works on a data directory, with or without a running server."
    },
    subcommands = {CreateKeyCommand.class, ListKeysCommand.class, RevokeKeyCommand.class},
    footer = {"%nExample:", "  bridle apikey create --actor ci --scope tasks:write"})
public final class ApiKeyCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public ApiKeyCommand() {}
}
