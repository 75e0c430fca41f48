package dev.bridle.cli.oauth;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The group of commands about OAuth clients. */
@Command(
    name = "client",
    description =
        "Register, list and revoke OAuth clients. Works on a data directory, whether its server"
            + " runs or not.",
    subcommands = {CreateClientCommand.class, ListClientsCommand.class, RevokeClientCommand.class},
    footer = {"%nExample:", "  bridle oauth client create --actor ci --scope tasks:write"})
final class ClientCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }
}
