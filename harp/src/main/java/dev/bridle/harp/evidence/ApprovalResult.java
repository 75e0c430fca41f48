package dev.bridle.harp.evidence;

import dev.bridle.proof.verify.OneLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What was found about one approval of a receipt.
 *
 * @param approvalId its id
 * @param decision what the receipt says was decided
 * @param isExact whether the receipt says that the action was known exactly when it was approved
 * @param signers whose devices have signed it, each named once; empty where only the server says
 *     who answered
 * @param attested who has answered by a credential, of which only the server knows who had it
 * @param used whether the log says that it was used; empty without a log
 * @param failure the first check that failed, and why; empty if none has
 * @param notChecked the checks that could not be made, for lack of material. They have not passed.
 */
public record ApprovalResult(
    String approvalId,
    String decision,
    boolean isExact,
    List<String> signers,
    List<String> attested,
    Optional<Boolean> used,
    Optional<EvidenceException> failure,
    List<EvidenceCheck> notChecked) {
  /** Copies the lists. */
  public ApprovalResult {
    signers = List.copyOf(signers);
    attested = List.copyOf(attested);
    notChecked = List.copyOf(notChecked);
  }

  /** Returns whether no check has failed. */
  public boolean isValid() {
    return failure.isEmpty();
  }

  /**
   * Returns one line, such as {@code approved; signed by ada; executed as signed}. Control
   * characters of names are escaped.
   */
  public String summary() {
    List<String> parts = new ArrayList<>();
    parts.add(
        failure
            .map(one -> "invalid: " + one.check().spelling() + ": " + one.getMessage())
            .orElse(decision));
    if (!signers.isEmpty()) {
      parts.add("signed by " + String.join(", ", signers));
    }
    if (!attested.isEmpty()) {
      parts.add("only the server says that it was answered by " + String.join(", ", attested));
    }
    if (!isExact) {
      parts.add("the agent did not say exactly what it would do");
    }
    used.ifPresent(is -> parts.add(is ? executed() : "not executed"));
    if (!notChecked.isEmpty()) {
      parts.add(
          notChecked.stream()
              .map(EvidenceCheck::spelling)
              .collect(Collectors.joining(", ", "not checked: ", "")));
    }
    return OneLine.of(String.join("; ", parts));
  }

  /** Of an action that is not known exactly, nobody can say that it was done as it was signed. */
  private String executed() {
    return isExact ? "executed as signed" : "executed";
  }
}
