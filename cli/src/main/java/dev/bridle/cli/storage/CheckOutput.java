package dev.bridle.cli.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.admin.v1.CheckProgress;
import dev.bridle.admin.v1.CheckStorageResponse;
import dev.bridle.admin.v1.CheckSummary;
import dev.bridle.admin.v1.StorageFinding;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Prints the output of a check: progress to stderr, findings and the summary to stdout. */
final class CheckOutput {
  private static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private Optional<CheckSummary> summary = Optional.empty();
  private long printedAt = System.nanoTime();

  CheckOutput(PrintWriter out, PrintWriter err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  void print(CheckStorageResponse response) {
    switch (response.getToldCase()) {
      case PROGRESS -> progress(response.getProgress());
      case FINDING -> finding("finding", response.getFinding());
      case REPAIRED -> finding("repaired", response.getRepaired());
      case SUMMARY -> summary(response.getSummary());
      case TOLD_NOT_SET -> {}
    }
  }

  /** Returns the summary. Throws {@link CommandFailed} if the check ended without one. */
  CheckSummary summary() {
    return summary.orElseThrow(
        () -> new CommandFailed(ExitCodes.FAILED, "The check was interrupted. Run it again."));
  }

  private void progress(CheckProgress progress) {
    long now = System.nanoTime();
    if (now - printedAt > PROGRESS_NANOS) {
      printedAt = now;
      err.println(
          String.format(Locale.ROOT, "%,d rows: %s", progress.getRows(), progress.getStep()));
      err.flush();
    }
  }

  private void finding(String type, StorageFinding finding) {
    if (json) {
      ObjectNode line =
          JsonLines.object()
              .put("type", type)
              .put("kind", finding.getKind())
              .put("tenant_id", finding.getTenantId())
              .put("subject", finding.getSubject())
              .put("sentence", finding.getSentence())
              .put("repairable", finding.getRepairable());
      out.println(line);
    } else if (type.equals("repaired")) {
      out.println("  repaired");
    } else {
      out.println(
          finding.getKind()
              + "  "
              + (finding.getTenantId().isEmpty() ? "-" : finding.getTenantId())
              + "  "
              + finding.getSubject()
              + ": "
              + finding.getSentence());
    }
    out.flush();
  }

  private void summary(CheckSummary result) {
    summary = Optional.of(result);
    if (json) {
      ObjectNode line =
          JsonLines.object()
              .put("type", "summary")
              .put("found", result.getFound())
              .put("repaired", result.getRepaired())
              .put("keys", result.getKeys());
      result.getNotCheckedList().forEach(line.putArray("not_checked")::add);
      out.println(line);
      return;
    }
    result.getNotCheckedList().forEach(sentence -> out.println("not checked: " + sentence));
    String found =
        result.getFound() == 0
            ? "no problems found."
            : result.getFound() + " found, " + result.getRepaired() + " of them repaired.";
    out.println(String.format(Locale.ROOT, "Checked %,d keys: %s", result.getKeys(), found));
  }
}
