package dev.bridle.cli.receipt;

import dev.bridle.cli.console.CommandGroup;
import picocli.CommandLine.Command;

/** The group of commands about receipts. */
@Command(
    name = "receipt",
    description = "Verify receipts, the signed records of what tasks did.",
    subcommands = VerifyCommand.class,
    footer = {"%nExample:", "  bridle receipt verify receipts.jsonl --keys keys.json --chain"})
public final class ReceiptCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  public ReceiptCommand() {}
}
