package dev.bridle.cli.oauth;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about signing keys. */
@Command(
    name = "key",
    description = "List and rotate the keys that sign tokens and the agent card.",
    subcommands = {ListSigningKeysCommand.class, RotateKeyCommand.class},
    footer = {"%nExample:", "  bridle oauth key rotate"})
final class SigningKeyCommand extends CommandGroup {}
