package dev.bridle.cli.receipt;

import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Exports what proves the approvals of a receipt. */
@Command(
    name = "evidence",
    description = {
      "Export what proves the approvals of a receipt, as JSON Lines.",
      "The file has the receipt, the decisions that devices have signed, whose devices they are,"
          + " what they were shown, and which events say that it was done. 'bridle receipt verify"
          + " --evidence' verifies it without a server."
    },
    footer = {
      "%nExample:",
      "  bridle receipt evidence receipt_01J9 --output evidence.jsonl",
      "  bridle receipt verify --evidence evidence.jsonl --keys keys.json"
    })
public final class EvidenceCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "RECEIPT", description = "The id of the receipt.")
  private String receipt;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "The file to write (default: stdout).")
  private Optional<Path> output = Optional.empty();

  /** Creates the command; called by picocli. */
  public EvidenceCommand() {}

  @Override
  public void run() {
    RestClient client = server.connect();
    String path = "/v1/receipts/" + RestClient.escape(receipt) + "/evidence";
    if (output.isPresent()) {
      BundleFile.write(client, path, output.get());
    } else {
      client.lines(path, spec.commandLine().getOut()::println);
      spec.commandLine().getOut().flush();
    }
  }
}
