package dev.bridle.cli.oauth;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about signing keys. */
@Command(
    name = "key",
    description = "List, rotate and revoke the keys that sign tokens, the agent card and receipts.",
    subcommands = {ListSigningKeysCommand.class, RotateKeyCommand.class, RevokeKeyCommand.class},
    footer = {"%nExample:", "  bridle oauth key rotate"})
final class SigningKeyCommand extends CommandGroup {}
