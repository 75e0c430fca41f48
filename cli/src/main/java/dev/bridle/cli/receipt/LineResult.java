package dev.bridle.cli.receipt;

import dev.bridle.cli.receipt.IssuerKeys.Source;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.Check;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was found in a line, or in a file with one receipt.
 *
 * @param receipt which receipt it is; empty if it is none that can be read
 * @param verdict what is concluded
 * @param failed the checks that failed; empty if none did
 * @param notChecked the checks that could not be made, which have not passed
 */
record LineResult(
    Place place,
    Optional<Named> receipt,
    Verdict verdict,
    List<Finding> failed,
    List<Finding> notChecked) {
  /** The ids of a receipt, as it states them. They may hold control characters. */
  record Named(String id, String session) {
    static Named of(Receipt receipt) {
      return new Named(receipt.id(), receipt.identifiers().sessionId());
    }
  }

  LineResult {
    failed = List.copyOf(failed);
    notChecked = List.copyOf(notChecked);
  }

  /** Returns the result of a receipt's own checks. */
  static LineResult of(Place place, Verification verification, IssuerKeys keys) {
    List<Finding> notChecked =
        new ArrayList<>(verification.notChecked().stream().map(Finding::of).toList());
    if (keys.source() != Source.TRUSTED && verification.verdict() != Verdict.INVALID) {
      notChecked.add(new Finding(Finding.ORIGIN, "no keys are given that are trusted"));
    }
    return new LineResult(
        place,
        verification.receipt().map(Named::of),
        verification.verdict(),
        verification.failure().map(Finding::of).stream().toList(),
        notChecked);
  }

  /** Returns the result of a line that can't be read. */
  static LineResult unreadable(Place place, String why) {
    return failed(place, new Finding(Finding.LINE, why));
  }

  /** Returns the result of a line that has failed a check by itself. */
  static LineResult failed(Place place, Finding finding) {
    return new LineResult(place, Optional.empty(), Verdict.INVALID, List.of(finding), List.of());
  }

  /** Returns the result of a line that is not verified. */
  static LineResult skipped(Place place, String why) {
    return open(place, new Finding(Finding.LINE, why));
  }

  /** Returns the result of a line, or a file, of which something is not proven. */
  static LineResult open(Place place, Finding finding) {
    return new LineResult(place, Optional.empty(), Verdict.CONSISTENT, List.of(), List.of(finding));
  }

  /** Returns whether this is about a receipt; else about another line, or an unreadable one. */
  boolean isOfReceipt() {
    return receipt.isPresent() || failed.stream().anyMatch(LineResult::isOfReceipt);
  }

  /** What stands in place of a receipt, and is none that can be read. */
  private static boolean isOfReceipt(Finding finding) {
    return finding.check().equals(Check.JSON.spelling())
        || finding.check().equals(Check.SCHEMA.spelling());
  }

  boolean isValid() {
    return verdict != Verdict.INVALID;
  }
}
