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
import java.util.List;
import picocli.CommandLine;

/**
 * Takes the receipts of the demonstration from the server, and verifies them once it is stopped.
 */
final class Receipts {
  private final Path file;
  private final Path keys;
  private final Path evidence;
  private final Narrator narrator;

  Receipts(Path directory, Narrator narrator) {
    this.file = directory.resolve("receipts.jsonl");
    this.keys = directory.resolve("keys.json");
    this.evidence = directory.resolve("evidence.jsonl");
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
    List<String> said =
        verify(file.toString(), "--keys", keys.toString(), "--chain", "--require-complete");
    return said.stream().filter(one -> one.contains("receipt_")).count() >= expected;
  }

  /** Saves what proves the approvals of a task, and the published keys. */
  void saveEvidence(RestClient client, String task) {
    try {
      String receipt = new Job(client).receipt(task);
      Files.write(
          evidence, client.bytes("/v1/receipts/" + RestClient.escape(receipt) + "/evidence"));
      Files.write(keys, client.bytes("/.well-known/receipt-keys.json"));
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The evidence can't be saved: " + e, e);
    }
  }

  /** Returns whether the saved evidence proves that somebody has signed what was executed. */
  boolean verifyEvidence(String principal) {
    narrator.note(
        "The server is stopped. bridle receipt verify --evidence evidence.jsonl --keys keys.json:");
    return verify("--evidence", evidence.toString(), "--keys", keys.toString()).stream()
        .anyMatch(
            line -> line.endsWith("approved; signed by " + principal + "; executed as signed"));
  }

  /** Returns the lines of a verification; none if something is not valid. */
  private List<String> verify(String... words) {
    StringWriter printed = new StringWriter();
    CommandLine line = new CommandLine(new VerifyCommand());
    line.setOut(new PrintWriter(printed, true));
    int exit = line.execute(words);
    printed.toString().lines().forEach(narrator::note);
    return exit == ExitCodes.DONE ? printed.toString().lines().toList() : List.of();
  }
}
