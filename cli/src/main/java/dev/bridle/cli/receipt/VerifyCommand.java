package dev.bridle.cli.receipt;

import dev.bridle.cli.console.ExitCodes;
import dev.bridle.proof.verify.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies receipts in files, without a server and without a data directory. */
@Command(
    name = "verify",
    description = {
      "Verify receipts without a server.",
      "Prints for each receipt 'valid', 'consistent' or the check that failed, and which checks"
          + " could not be made: those have not passed. Valid is only what a key of --keys has"
          + " signed; with --chain, only a chain whose signed end is there. What is consistent agrees"
          + " with itself, and proves nothing about its origin, or about what is missing: that is exit"
          + " code 9."
    },
    footer = {
      "%nExamples:",
      "  bridle receipt verify receipt.json --keys keys.json",
      "  bridle receipt verify receipts.jsonl --keys keys.json --chain",
      "  bridle receipt verify --evidence evidence.jsonl --keys keys.json"
    })
public final class VerifyCommand implements Callable<Integer> {
  private static final String STDIN = "-";
  private static final String ONE_RECEIPT = ".json";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "One receipt, or receipt resource, if its name ends in .json; else one a line, or an"
              + " exported bundle. '-': lines from stdin.")
  private List<Path> files = List.of();

  @Option(
      names = "--evidence",
      paramLabel = "FILE",
      description =
          "A bundle of 'bridle receipt evidence': verify its receipt, and that the devices of people"
              + " have signed exactly what it says was approved.")
  private List<Path> evidence = List.of();

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description =
          "A JWK set with the keys that you trust as issuers. A file's own keys count for nothing"
              + " beside it. Without it, nothing is proven to be valid.")
  private Optional<Path> keys = Optional.empty();

  @Option(
      names = "--chain",
      description =
          "Verify the receipts of each session as its chain: they are in order, from the first"
              + " on.")
  private boolean chain;

  @Option(
      names = "--require-complete",
      description = "Fail with exit code 9 if a check could not be made.")
  private boolean requireComplete;

  @Option(
      names = "--accept-unproven",
      description =
          "End with exit code 0 where nothing failed, though who issued the receipts, or whether"
              + " newer ones are missing, is not proven.")
  private boolean acceptUnproven;

  @Option(
      names = "--json",
      description = "Print each receipt, each chain, and the summary, as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public VerifyCommand() {}

  @Override
  public Integer call() {
    if (files.isEmpty() && evidence.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "Give a file of receipts, or one of evidence with --evidence.");
    }
    IssuerKeys given = keys.map(IssuerKeys::read).orElse(IssuerKeys.NONE);
    VerifyOutput output = new VerifyOutput(spec.commandLine().getOut(), json);
    ReceiptSink receipts = chain ? new SessionChains(output) : new SingleReceipts(output);
    boolean areRead = true;
    List<FileVerification> read = new ArrayList<>();
    for (Path file : files) {
      FileVerification one = new FileVerification(file.toString(), given, receipts, output);
      areRead &= verify(file, one);
      read.add(one);
    }
    receipts.end();
    read.forEach(FileVerification::judgeEnd);
    for (Path file : evidence) {
      Optional<EvidenceVerification> approvals = Optional.of(new EvidenceVerification(output));
      ReceiptSink single = new SingleReceipts(output);
      FileVerification one =
          new FileVerification(file.toString(), given, single, output, approvals);
      areRead &= verify(file, one);
      one.judgeEnd();
    }
    if (!areRead) {
      output.countUnreadFile();
    }
    output.printSummary();
    if (!output.isValid()) {
      return ExitCodes.RECEIPT_NOT_VALID;
    }
    if (!areRead) {
      return ExitCodes.USAGE;
    }
    boolean isEnough = output.isProven() || (acceptUnproven && output.isAcceptable());
    return !isEnough || (requireComplete && !output.isComplete())
        ? ExitCodes.RECEIPT_NOT_COMPLETE
        : ExitCodes.DONE;
  }

  /** Returns whether the file could be read and has a receipt. */
  private boolean verify(Path file, FileVerification verification) {
    boolean isStdin = file.toString().equals(STDIN);
    try (InputStream in = isStdin ? System.in : Files.newInputStream(file)) {
      if (!isStdin && !evidence.contains(file) && file.toString().endsWith(ONE_RECEIPT)) {
        verification.verifyDocument(in);
      } else {
        verification.verifyLines(in);
      }
    } catch (IOException e) {
      complain(file + " can't be read: " + e);
      return false;
    }
    if (!verification.hasReceipts()) {
      complain(file + " has no receipts. Expected one, or one a line.");
    }
    return verification.hasReceipts();
  }

  private void complain(String why) {
    spec.commandLine().getErr().println(OneLine.of("bridle: " + why));
    spec.commandLine().getErr().flush();
  }
}
