package dev.bridle.cli.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.harp.evidence.ApprovalDetails;
import dev.bridle.harp.evidence.ApprovalResult;
import dev.bridle.proof.verify.ChainFault;
import dev.bridle.proof.verify.ChainReport;
import dev.bridle.proof.verify.Check;
import dev.bridle.proof.verify.OneLine;
import dev.bridle.proof.verify.Verdict;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints and counts the results of a verification. */
final class VerifyOutput {
  private final PrintWriter out;
  private final boolean json;
  private final Set<String> notChecked = new TreeSet<>();

  /** Why what is not invalid is only consistent. */
  private final Set<String> unproven = new TreeSet<>();

  private Verdict worst = Verdict.VALID;
  private long valid;
  private long consistent;
  private long invalid;

  VerifyOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** Prints what was found in a line. */
  void print(LineResult result) {
    result.notChecked().forEach(finding -> notChecked.add(finding.check()));
    worst = worst.and(result.verdict());
    if (result.verdict() == Verdict.CONSISTENT) {
      unproven.addAll(reasons(result));
    }
    if (result.verdict() == Verdict.INVALID) {
      invalid++;
    } else if (result.isOfReceipt() && result.verdict() == Verdict.VALID) {
      valid++;
    } else if (result.isOfReceipt()) {
      consistent++;
    }
    println(json ? line(result).toString() : text(result));
  }

  /** Returns why a result is not valid, though nothing failed. Of a chain, it is not asked for. */
  private static Set<String> reasons(LineResult result) {
    Set<String> open = result.notChecked().stream().map(Finding::check).collect(Collectors.toSet());
    if (open.contains(Finding.ORIGIN)) {
      return Set.of(Finding.ORIGIN);
    }
    open.removeAll(Set.of(Check.LINK.spelling(), Check.MERKLE_ROOT.spelling()));
    return open;
  }

  /** Prints what was found about an approval of a receipt; of a valid one, the details too. */
  void print(Place place, ApprovalResult result, ApprovalDetails details) {
    result.notChecked().forEach(check -> notChecked.add(check.spelling()));
    if (!result.isValid()) {
      invalid++;
      worst = Verdict.INVALID;
    } else if (!result.notChecked().isEmpty()) {
      worst = worst.and(Verdict.CONSISTENT);
      result.notChecked().forEach(check -> unproven.add(check.spelling()));
    }
    if (json) {
      ObjectNode line = approvalLine(place, result);
      if (result.isValid()) {
        ShownApproval.addTo(line, details);
      }
      println(ShownText.json(line.toString()));
      return;
    }
    println(place + " approval " + OneLine.of(result.approvalId()) + ": " + result.summary());
    if (result.isValid()) {
      ShownApproval.lines(details).forEach(this::println);
    }
  }

  private static ObjectNode approvalLine(Place place, ApprovalResult result) {
    ObjectNode line =
        place(JsonLines.object().put("type", "approval"), place)
            .put("approval_id", result.approvalId())
            .put("decision", result.decision())
            .put("valid", result.isValid())
            .put("complete", result.isValid() && result.notChecked().isEmpty());
    result.signers().forEach(line.putArray("signed_by")::add);
    result.attested().forEach(line.putArray("attested_by_server")::add);
    result.used().ifPresent(used -> line.put("used", used));
    add(line.putArray("failed"), result.failure().map(Finding::of).stream().toList());
    ArrayNode open = line.putArray("not_checked");
    result.notChecked().forEach(check -> open.add(check.spelling()));
    return line;
  }

  /** Prints what was found in the list of a session's receipts. */
  void print(String session, ChainReport report) {
    worst = worst.and(report.verdict());
    if (report.isWhole() && !report.endChecked()) {
      notChecked.add(Finding.END);
      unproven.add(Finding.END);
    }
    if (json) {
      ObjectNode line =
          JsonLines.object()
              .put("type", "chain")
              .put("session_id", session)
              .put("receipts", report.receipts())
              .put("verdict", report.verdict().spelling())
              .put("whole", report.isWhole())
              .put("end_checked", report.endChecked());
      ArrayNode faults = line.putArray("faults");
      report.faults().forEach(fault -> faults.add(line(fault)));
      println(line.toString());
      return;
    }
    String kinds =
        report.faults().stream()
            .map(fault -> fault.kind().spelling())
            .distinct()
            .collect(Collectors.joining(", "));
    println(
        "chain of session "
            + OneLine.of(session)
            + ": "
            + count(report.receipts(), "receipt")
            + ", "
            + (report.isWhole() ? report.verdict().spelling() + end(report) : "invalid: " + kinds));
  }

  private static String end(ChainReport report) {
    return report.endChecked()
        ? ", whole up to its signed end"
        : ", whole up to the last of them; no signed end says that none is newer";
  }

  /** Prints a warning if keys of a file's own set are not those of {@code --keys}. */
  void printUnconfirmed(Place place, long unconfirmed, int all) {
    if (unconfirmed == 0) {
      return;
    }
    String warning =
        unconfirmed
            + " of "
            + count(all, "key")
            + " are not in --keys, or have another validity there; only --keys counts";
    println(
        json
            ? place(JsonLines.object().put("type", "warning"), place)
                .put("warning", warning)
                .toString()
            : place + ": warning: " + warning);
  }

  /** Notes that a file was not verified. */
  void countUnreadFile() {
    notChecked.add(Finding.FILE);
    unproven.add(Finding.FILE);
    worst = worst.and(Verdict.CONSISTENT);
  }

  /** Prints the summary. */
  void printSummary() {
    if (json) {
      ObjectNode line =
          JsonLines.object()
              .put("type", "summary")
              .put("verdict", worst.spelling())
              .put("valid", valid)
              .put("consistent", consistent)
              .put("invalid", invalid);
      ArrayNode names = line.put("complete", isComplete()).putArray("not_checked");
      notChecked.forEach(names::add);
      println(line.toString());
      return;
    }
    println(valid + " valid, " + consistent + " consistent, " + invalid + " not valid.");
    if (!notChecked.isEmpty()) {
      println("Not checked everywhere: " + String.join(", ", notChecked) + ".");
    } else if (isValid()) {
      println("Every check was made.");
    }
    if (unproven.contains(Finding.ORIGIN)) {
      println(
          "Who issued the receipts is not proven: what agrees with itself, anybody can make. Give"
              + " the issuer's keys, which you have from elsewhere than this file, with --keys.");
    }
    if (unproven.contains(Finding.END)) {
      println(
          "Whether receipts are missing at the end is not known: no end is signed that a trusted"
              + " key has made. 'bridle receipt export' of this release writes one.");
    }
  }

  /** Returns whether nothing that was verified has failed. */
  boolean isValid() {
    return worst != Verdict.INVALID;
  }

  /** Returns whether all that was verified is proven. */
  boolean isProven() {
    return worst == Verdict.VALID;
  }

  /** Returns whether nothing is open but who has issued what, and whether it goes on. */
  boolean isAcceptable() {
    return isValid() && Set.of(Finding.ORIGIN, Finding.END).containsAll(unproven);
  }

  /** Returns whether every check could be made, and has passed. */
  boolean isComplete() {
    return isProven() && notChecked.isEmpty();
  }

  private void println(String line) {
    out.println(line);
    out.flush();
  }

  private static String text(LineResult result) {
    String name = result.receipt().map(receipt -> " " + OneLine.of(receipt.id())).orElse("");
    List<String> parts = new ArrayList<>();
    if (!result.isValid()) {
      parts.add("invalid: " + joined("; ", result.failed().stream().map(Finding::toString)));
    } else if (result.isOfReceipt()) {
      parts.add(result.verdict().spelling());
    }
    if (!result.notChecked().isEmpty()) {
      Stream<Finding> findings = result.notChecked().stream();
      parts.add(
          "not checked: "
              + joined(
                  ", ", findings.map(result.isOfReceipt() ? Finding::check : Finding::toString)));
    }
    return result.place() + name + ": " + String.join("; ", parts);
  }

  private static String joined(String separator, Stream<String> texts) {
    return texts.distinct().collect(Collectors.joining(separator));
  }

  private static ObjectNode line(LineResult result) {
    ObjectNode line =
        place(
            JsonLines.object().put("type", result.isOfReceipt() ? "receipt" : "line"),
            result.place());
    result
        .receipt()
        .ifPresent(
            receipt -> line.put("receipt_id", receipt.id()).put("session_id", receipt.session()));
    if (result.isOfReceipt()) {
      boolean isValid = result.verdict() == Verdict.VALID;
      line.put("verdict", result.verdict().spelling())
          .put("valid", isValid)
          .put("complete", isValid && result.notChecked().isEmpty());
    }
    add(line.putArray("failed"), result.failed());
    add(line.putArray("not_checked"), result.notChecked());
    return line;
  }

  private static ObjectNode line(ChainFault fault) {
    return JsonLines.object()
        .put("kind", fault.kind().spelling())
        .put("position", fault.position())
        .put("receipt_id", fault.receiptId())
        .put("detail", fault.detail());
  }

  private static ObjectNode place(ObjectNode line, Place place) {
    line.put("file", place.file());
    return place.line() == 0 ? line : line.put("line", place.line());
  }

  private static void add(ArrayNode to, List<Finding> findings) {
    for (Finding finding : findings) {
      to.add(JsonLines.object().put("check", finding.check()).put("detail", finding.detail()));
    }
  }

  private static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
