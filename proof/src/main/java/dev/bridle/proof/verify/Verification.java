package dev.bridle.proof.verify;

import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.CheckResult.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of verifying a receipt: the checks that were made, in their order, up to the first
 * that failed. There is one result for each signature.
 *
 * @param receipt the receipt; empty if the bytes are none
 * @param results at least one
 */
public record Verification(Optional<Receipt> receipt, List<CheckResult> results) {
  /** Copies the results. */
  public Verification {
    results = List.copyOf(results);
  }

  /** Returns the first check that failed. */
  public Optional<CheckResult> failure() {
    return results.stream().filter(one -> one.outcome() == Outcome.FAILED).findFirst();
  }

  /** Returns the checks that could not be made for lack of material. They have not passed. */
  public List<CheckResult> notChecked() {
    return results.stream().filter(one -> one.outcome() == Outcome.NOT_CHECKED).toList();
  }

  /**
   * Returns whether no check has failed. This is no proof by itself: a receipt that nobody has
   * signed is valid, too; see {@link #isComplete} and {@link #notChecked}.
   */
  public boolean isValid() {
    return failure().isEmpty();
  }

  /** Returns whether all checks could be made, and have passed. */
  public boolean isComplete() {
    return isValid() && notChecked().isEmpty();
  }

  /**
   * Returns one line, such as {@code valid; not checked: link, merkle_root}. Control characters of
   * quoted content are escaped.
   */
  public String summary() {
    String result = failure().map(one -> "invalid: " + one).orElse("valid");
    if (notChecked().isEmpty()) {
      return result;
    }
    return notChecked().stream()
        .map(one -> one.check().spelling())
        .distinct()
        .collect(Collectors.joining(", ", result + "; not checked: ", ""));
  }
}
