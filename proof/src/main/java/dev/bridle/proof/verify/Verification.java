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
 * @param isSigned whether a key that is trusted has signed it while it was valid, the issuer's if
 *     the receipt names one
 */
public record Verification(Optional<Receipt> receipt, List<CheckResult> results, boolean isSigned) {
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
   * Returns what the checks conclude about the receipt by itself. {@link Verdict#VALID} leaves open
   * what lies before it where no history was given, see {@link #notChecked}.
   */
  public Verdict verdict() {
    if (failure().isPresent()) {
      return Verdict.INVALID;
    }
    return isSigned ? Verdict.VALID : Verdict.CONSISTENT;
  }

  /** Returns whether it is valid, and each check could be made. */
  public boolean isComplete() {
    return verdict() == Verdict.VALID && notChecked().isEmpty();
  }

  /**
   * Returns one line, such as {@code valid; not checked: link, merkle_root}. Control characters of
   * quoted content are escaped.
   */
  public String summary() {
    String result = failure().map(one -> "invalid: " + one).orElseGet(() -> verdict().spelling());
    if (notChecked().isEmpty()) {
      return result;
    }
    return notChecked().stream()
        .map(one -> one.check().spelling())
        .distinct()
        .collect(Collectors.joining(", ", result + "; not checked: ", ""));
  }
}
