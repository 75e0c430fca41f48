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

/** Prints what a check tells: progress now and then to stderr, all else to stdout. */
final class CheckOutput {
  private static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private Optional<CheckSummary> summary = Optional.empty();
  private long toldAt = System.nanoTime();

  CheckOutput(PrintWriter out, PrintWriter err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  void tell(CheckStorageResponse told) {
    switch (told.getToldCase()) {
      case PROGRESS -> progress(told.getProgress());
      case FINDING -> finding("finding", told.getFinding());
      case REPAIRED -> finding("repaired", told.getRepaired());
      case SUMMARY -> summary(told.getSummary());
      case TOLD_NOT_SET -> {}
    }
  }

  /** Returns the summary, without which a check has not come to its end. */
  CheckSummary summary() {
    return summary.orElseThrow(
        () ->
            new CommandFailed(
                ExitCodes.FAILED, "The check broke off before its end; run it again."));
  }

  private void progress(CheckProgress progress) {
    long now = System.nanoTime();
    if (now - toldAt > PROGRESS_NANOS) {
      toldAt = now;
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

  private void summary(CheckSummary told) {
    summary = Optional.of(told);
    if (json) {
      ObjectNode line =
          JsonLines.object()
              .put("type", "summary")
              .put("found", told.getFound())
              .put("repaired", told.getRepaired())
              .put("keys", told.getKeys());
      told.getNotCheckedList().forEach(line.putArray("not_checked")::add);
      out.println(line);
      return;
    }
    told.getNotCheckedList().forEach(sentence -> out.println("not checked: " + sentence));
    String found =
        told.getFound() == 0
            ? "nothing is wrong."
            : told.getFound() + " found, " + told.getRepaired() + " of them repaired.";
    out.println(String.format(Locale.ROOT, "Checked %,d keys: %s", told.getKeys(), found));
  }
}
