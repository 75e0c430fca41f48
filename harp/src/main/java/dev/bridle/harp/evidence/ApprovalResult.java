package dev.bridle.harp.evidence;

import java.util.List;
import java.util.Optional;

/**
 * What was found about one approval of a receipt.
 *
 * @param approvalId its id
 * @param decision what the receipt says was decided
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
}
