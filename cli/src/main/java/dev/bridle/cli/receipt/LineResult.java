package dev.bridle.cli.receipt;

import dev.bridle.cli.receipt.IssuerKeys.Source;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was found in a line, or in a file with one receipt.
 *
 * @param receipt which receipt it is; empty if it is none that can be read
 * @param failed the checks that failed; empty if it is valid
 * @param notChecked the checks that could not be made, which have not passed
 */
record LineResult(
    Place place, Optional<Named> receipt, List<Finding> failed, List<Finding> notChecked) {
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
    if (keys.source() == Source.SAME_FILE && verification.isValid()) {
      notChecked.add(new Finding(Finding.ORIGIN, "the keys come from the same file"));
    }
    return new LineResult(
        place,
        verification.receipt().map(Named::of),
        verification.failure().map(Finding::of).stream().toList(),
        notChecked);
  }

  /** Returns the result of a line that can't be read. */
  static LineResult unreadable(Place place, String why) {
    return failed(place, new Finding(Finding.LINE, why));
  }

  /** Returns the result of a line that has failed a check by itself. */
  static LineResult failed(Place place, Finding finding) {
    return new LineResult(place, Optional.empty(), List.of(finding), List.of());
  }

  /** Returns the result of a line that is not verified. */
  static LineResult skipped(Place place, String why) {
    return new LineResult(
        place, Optional.empty(), List.of(), List.of(new Finding(Finding.LINE, why)));
  }

  /** Returns whether this is about a receipt; else about another line, or an unreadable one. */
  boolean isOfReceipt() {
    return Stream.concat(failed.stream(), notChecked.stream())
        .noneMatch(finding -> finding.check().equals(Finding.LINE));
  }

  boolean isValid() {
    return failed.isEmpty();
  }
}
