package dev.bridle.proof.replay;

import java.util.List;
import java.util.Optional;

/**
 * What a log replay found.
 *
 * @param taskId the task whose log was replayed
 * @param receiptId the receipt that it was compared with
 * @param events the number of events that were read
 * @param withheld the number of events whose payload is erased, or was not disclosed
 * @param finalState the state that the events lead to, as the protocol spells it, such as {@code
 *     COMPLETED}; empty if the replay broke before its end
 * @param fault the first difference; empty if there is none
 * @param checks the results of all checks, in their order; empty if there is a fault
 * @param segment the receipt of the replayed segment; empty if there is a fault
 */
public record ReplayReport(
    String taskId,
    String receiptId,
    long events,
    long withheld,
    Optional<String> finalState,
    Optional<ReplayFault> fault,
    List<ReplayCheck> checks,
    Optional<SegmentReceipt> segment) {
  /** Copies the checks. */
  public ReplayReport {
    checks = List.copyOf(checks);
  }

  /** Returns whether the log is that of the receipt. */
  public boolean isReplayed() {
    return fault.isEmpty();
  }

  /**
   * Returns whether each check that the log allows could be made on all of it. What the log does
   * not have at all ({@link ReplayCheck.Outcome#NOT_DERIVABLE}) does not count.
   */
  public boolean isComplete() {
    return isReplayed()
        && checks.stream().noneMatch(check -> check.outcome() == ReplayCheck.Outcome.NOT_CHECKED);
  }
}
