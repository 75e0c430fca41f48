package dev.bridle.cli.tls;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about certificates. */
@Command(
    name = "tls",
    description = {
      "Create certificates for a server in a local network.",
      "A server with a certificate of a public CA needs none of this: give its PEM files to"
          + " 'bridle up' with --tls-cert and --tls-key."
    },
    subcommands = CreateTlsCommand.class,
    footer = {"%nExample:", "  bridle tls create --dir tls --name bridle.lan --name 192.168.1.5"})
public final class TlsCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public TlsCommand() {}
}
