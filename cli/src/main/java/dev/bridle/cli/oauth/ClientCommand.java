package dev.bridle.cli.oauth;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about OAuth clients. */
@Command(
    name = "client",
    description =
        "Create, list and revoke OAuth clients. Works on a data directory, with or without a"
            + " runs or not.",
    subcommands = {CreateClientCommand.class, ListClientsCommand.class, RevokeClientCommand.class},
    footer = {"%nExample:", "  bridle oauth client create --actor ci --scope tasks:write"})
final class ClientCommand extends CommandGroup {}
