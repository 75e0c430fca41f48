package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands that pair an enforcer with an approver's device. */
@Command(
    name = "pair",
    description = {
      "Pair an enforcer with an approver's device over a relay.",
      "The enforcer offers, as a QR code and as a code to type; the device accepts, and gets an id"
          + " and a token at the relay. Both verify that no relay or other device came between."
    },
    subcommands = {PairOfferCommand.class, PairAcceptCommand.class},
    footer = {
      "%nExamples:",
      "  bridle harp pair offer --enforcer ci --identity ci.identity --out phone.json",
      "  bridle harp pair accept 'harp-pair:1?...' --approver phone --keys phone.keys"
          + " --token-out phone.token"
    })
final class PairCommand extends CommandGroup {
  /** Creates the command; called by picocli. */
  PairCommand() {}
}
