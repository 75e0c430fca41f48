package dev.bridle.cli.replay;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.bundle.BundleReader;
import dev.bridle.proof.receipt.InvalidReceiptException;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.OneLine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads a receipt as its server returns it. */
final class ServerReceipt {
  private ServerReceipt() {}

  /** Returns a receipt, which is not verified. */
  static Receipt read(RestClient client, String id) {
    byte[] resource = client.bytes("/v1/receipts/" + RestClient.escape(id));
    try {
      BundleLine line = BundleReader.readDocument(new ByteArrayInputStream(resource));
      return Receipt.parse(line.content());
    } catch (InvalidReceiptException e) {
      throw new CommandFailed(
          ExitCodes.RECEIPT_NOT_VALID,
          OneLine.of("The server's receipt " + id + " is none: " + e.getMessage()),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException("reading memory failed", e);
    }
  }
}
