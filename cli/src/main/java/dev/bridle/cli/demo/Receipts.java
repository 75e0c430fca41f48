package dev.bridle.cli.demo;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.receipt.VerifyCommand;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Takes the receipts of the demonstration from the server, and verifies them once it is stopped.
 */
final class Receipts {
  private final Path file;
  private final Path keys;
  private final Narrator narrator;

  Receipts(Path directory, Narrator narrator) {
    this.file = directory.resolve("receipts.jsonl");
    this.keys = directory.resolve("keys.json");
    this.narrator = narrator;
  }

  /** Saves the receipts of a session, and the published keys. */
  void save(RestClient client, String session) {
    try {
      Files.write(
          file, client.bytes("/v1/receipt-export?session_id=" + RestClient.escape(session)));
      Files.write(keys, client.bytes("/.well-known/receipt-keys.json"));
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The receipts can't be saved: " + e, e);
    }
  }

  /** Returns whether the saved receipts are as many as expected, and verify as a chain. */
  boolean verify(int expected) {
    narrator.note(
        "The server is stopped. bridle receipt verify receipts.jsonl --keys keys.json --chain:");
    StringWriter printed = new StringWriter();
    CommandLine line = new CommandLine(new VerifyCommand());
    line.setOut(new PrintWriter(printed, true));
    int exit =
        line.execute(file.toString(), "--keys", keys.toString(), "--chain", "--require-complete");
    printed.toString().lines().forEach(narrator::note);
    long receipts = printed.toString().lines().filter(one -> one.contains("receipt_")).count();
    return exit == ExitCodes.DONE && receipts >= expected;
  }
}
