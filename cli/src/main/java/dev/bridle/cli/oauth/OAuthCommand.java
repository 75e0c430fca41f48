package dev.bridle.cli.oauth;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about OAuth. */
@Command(
    name = "oauth",
    description = "Manage OAuth clients and the keys that sign their tokens.",
    subcommands = {ClientCommand.class, SigningKeyCommand.class},
    footer = {"%nExample:", "  bridle oauth client create --actor ci --scope tasks:write"})
public final class OAuthCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public OAuthCommand() {}
}
