package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.replay.ReplayCheck;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.proof.replay.SegmentReceipt;
import dev.bridle.proof.verify.CheckResult;
import dev.bridle.proof.verify.OneLine;
import dev.bridle.proof.verify.Verdict;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints what a replay found. */
final class ReplayOutput {
  private final PrintWriter out;
  private final boolean json;

  ReplayOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void print(ReplayResult result) {
    if (json) {
      out.println(receiptLine(result));
      result.report().ifPresent(report -> out.println(replayLine(result, report)));
    } else {
      printReceipt(result);
      result.report().ifPresent(this::printReport);
      printOrigin(result);
    }
    out.flush();
  }

  private void printReceipt(ReplayResult result) {
    String id = result.receipt().receipt().map(Receipt::id).orElse("");
    out.println(("receipt " + OneLine.of(id)).strip() + ": " + result.receipt().summary());
  }

  private void printReport(ReplayReport report) {
    String task = OneLine.of(report.taskId());
    if (report.fault().isPresent()) {
      out.println(report.fault().get());
      out.println(notReplayed(task, report.fault().get()));
      return;
    }
    for (ReplayCheck check : report.checks()) {
      out.println(
          String.format(Locale.ROOT, "  %-13s %s: %s", words(check), check.name(), check.detail()));
    }
    report
        .segment()
        .map(SegmentReceipt::unsigned)
        .ifPresent(
            segment ->
                out.println("segment " + segment.id() + ": " + segment.chain().receiptHash()));
    out.println(
        String.format(
            Locale.ROOT,
            "%s replayed: %d events, %s, as its receipt says.",
            task,
            report.events(),
            report.finalState().orElse("")));
  }

  private void printOrigin(ReplayResult result) {
    if (result.receipt().verdict() != Verdict.CONSISTENT) {
      return;
    }
    switch (result.keys()) {
      case NONE -> out.println("Who issued the receipt is not proven: give keys with --keys.");
      case SAME_FILE ->
          out.println(
              "The keys come from the same file as the receipt: they do not prove who issued it."
                  + " Give keys from the issuer with --keys.");
      case TRUSTED ->
          out.println(
              "Whether the receipt is older than the time since which its key is compromised can't"
                  + " be known.");
    }
  }

  private static String words(ReplayCheck check) {
    return check.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static ObjectNode receiptLine(ReplayResult result) {
    ObjectNode line = JsonLines.object().put("type", "receipt");
    result
        .receipt()
        .receipt()
        .ifPresent(
            receipt ->
                line.put("receipt_id", receipt.id())
                    .put("session_id", receipt.identifiers().sessionId()));
    line.put("verdict", result.receipt().verdict().spelling())
        .put("valid", isIssuerChecked(result))
        .put("issuer_checked", isIssuerChecked(result));
    ArrayNode failed = line.putArray("failed");
    result.receipt().failure().ifPresent(check -> failed.add(finding(check)));
    ArrayNode open = line.putArray("not_checked");
    result.receipt().notChecked().forEach(check -> open.add(finding(check)));
    return line;
  }

  private static boolean isIssuerChecked(ReplayResult result) {
    return result.receipt().verdict() == Verdict.VALID;
  }

  private static ObjectNode finding(CheckResult check) {
    return JsonLines.object().put("check", check.check().spelling()).put("detail", check.detail());
  }

  private static ObjectNode replayLine(ReplayResult result, ReplayReport report) {
    ObjectNode line =
        JsonLines.object()
            .put("type", "replay")
            .put("task_id", report.taskId())
            .put("receipt_id", report.receiptId())
            .put("verdict", result.verdict().spelling())
            .put("replayed", report.isReplayed())
            .put("complete", result.isComplete())
            .put("events", report.events())
            .put("withheld", report.withheld());
    report.finalState().ifPresent(state -> line.put("final_state", state));
    report.fault().ifPresent(fault -> line.set("fault", fault(fault)));
    ArrayNode checks = line.putArray("checks");
    for (ReplayCheck check : report.checks()) {
      checks
          .addObject()
          .put("check", check.name())
          .put("outcome", check.outcome().name().toLowerCase(Locale.ROOT))
          .put("detail", check.detail());
    }
    report
        .segment()
        .map(SegmentReceipt::unsigned)
        .ifPresent(
            segment ->
                line.putObject("segment")
                    .put("receipt_id", segment.id())
                    .put("receipt_hash", segment.chain().receiptHash().toString()));
    return line;
  }

  /** Returns the line after the one that says why a task was not replayed. */
  static String notReplayed(String task, ReplayFault fault) {
    return task
        + " was not replayed: see "
        + switch (fault.kind()) {
          case DIVERGED -> "the first difference above.";
          case UNAVAILABLE -> "above for what is missing.";
        };
  }

  /** Returns a first difference in its parts. */
  static ObjectNode fault(ReplayFault fault) {
    ObjectNode line = JsonLines.object().put("code", fault.kind().spelling());
    fault.sequence().ifPresent(at -> line.put("sequence", at));
    line.put("what", fault.what());
    return fault.expected().isEmpty() && fault.found().isEmpty()
        ? line
        : line.put("expected", fault.expected()).put("found", fault.found());
  }
}
