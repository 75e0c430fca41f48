package dev.bridle.cli.receipt;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Exports receipts with the keys that verify them. */
@Command(
    name = "export",
    description = {
      "Export receipts as JSON Lines, with the keys that verify them.",
      "'bridle receipt verify' verifies the file without a server."
    },
    footer = {
      "%nExamples:",
      "  bridle receipt export --session session_01J9 --output receipts.jsonl",
      "  bridle receipt export --keys keys.json --output receipts.jsonl"
    })
public final class ExportReceiptsCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Only the receipts of this session, which are its whole chain.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "The file to write (default: stdout).")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "Also write the server's published keys to this file.")
  private Optional<Path> keys = Optional.empty();

  /** Creates the command; called by picocli. */
  public ExportReceiptsCommand() {}

  @Override
  public void run() {
    RestClient client = server.connect();
    String path =
        session
            .map(id -> "/v1/receipt-export?session_id=" + RestClient.escape(id))
            .orElse("/v1/receipt-export");
    if (output.isPresent()) {
      BundleFile.write(client, path, output.get());
    } else {
      client.lines(path, spec.commandLine().getOut()::println);
      spec.commandLine().getOut().flush();
    }
    // Afterwards, so that a key that has begun to sign meanwhile is among them.
    keys.ifPresent(file -> write(file, client.bytes("/.well-known/receipt-keys.json")));
  }

  private static void write(Path file, byte[] bytes) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, file + " can't be written: " + e);
    }
  }
}
