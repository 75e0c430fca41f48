package dev.bridle.cli.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.harp.evidence.ApprovalDetails;
import dev.bridle.harp.evidence.ApprovalResult;
import dev.bridle.proof.verify.ChainFault;
import dev.bridle.proof.verify.ChainReport;
import dev.bridle.proof.verify.OneLine;
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
  private long valid;
  private long invalid;

  VerifyOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** Prints what was found in a line. */
  void print(LineResult result) {
    result.notChecked().forEach(finding -> notChecked.add(finding.check()));
    if (!result.isValid()) {
      invalid++;
    } else if (result.isOfReceipt()) {
      valid++;
    }
    println(json ? line(result).toString() : text(result));
  }

  /** Prints what was found about an approval of a receipt; of a valid one, the details too. */
  void print(Place place, ApprovalResult result, ApprovalDetails details) {
    result.notChecked().forEach(check -> notChecked.add(check.spelling()));
    if (!result.isValid()) {
      invalid++;
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
    if (json) {
      ObjectNode line =
          JsonLines.object()
              .put("type", "chain")
              .put("session_id", session)
              .put("receipts", report.receipts())
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
            + (report.isWhole() ? "whole up to the last of them" : "not whole: " + kinds));
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
  }

  /** Prints the summary. */
  void printSummary() {
    if (json) {
      ObjectNode line =
          JsonLines.object().put("type", "summary").put("valid", valid).put("invalid", invalid);
      ArrayNode names = line.put("complete", isComplete()).putArray("not_checked");
      notChecked.forEach(names::add);
      println(line.toString());
      return;
    }
    println(valid + " valid, " + invalid + " not valid.");
    if (!notChecked.isEmpty()) {
      println("Not checked everywhere: " + String.join(", ", notChecked) + ".");
    } else if (isValid()) {
      println("Every check was made.");
    }
    if (notChecked.contains(Finding.ORIGIN)) {
      println(
          "The keys come from the same file as the receipts: they prove that the receipts are"
              + " consistent, not who issued them. Give keys from the issuer with --keys.");
    }
  }

  /** Returns whether nothing that was verified has failed. */
  boolean isValid() {
    return invalid == 0;
  }

  /** Returns whether every check could be made, and has passed. */
  boolean isComplete() {
    return isValid() && notChecked.isEmpty();
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
      parts.add("valid");
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
      line.put("valid", result.isValid())
          .put("complete", result.isValid() && result.notChecked().isEmpty());
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
