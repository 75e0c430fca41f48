package dev.bridle.proof.verify;

import java.util.List;
import java.util.Set;

/**
 * The result of verifying a session's chain.
 *
 * @param receipts how many were verified
 * @param faults ordered by position; empty if the chain is whole
 * @param notChecked the checks of signatures and keys that could not be made, ordered by position.
 *     A receipt that fails a check is in the faults instead.
 * @param unsigned the positions of those that, as far as is known, no trusted key has signed
 * @param endChecked whether the newest receipts were held against an end that is known from
 *     elsewhere, or that a trusted key has signed. Without one, receipts that are missing at the
 *     end can't be noticed.
 */
public record ChainReport(
    int receipts,
    List<ChainFault> faults,
    List<NotChecked> notChecked,
    Set<Integer> unsigned,
    boolean endChecked) {
  /**
   * A check of a receipt that lacked material, so that it has not passed.
   *
   * @param position of the receipt in the list that was verified, from 0
   * @param check {@link Check#SIGNATURE} or {@link Check#KEY_VALIDITY}
   */
  public record NotChecked(int position, Check check) {}

  /** Copies the lists. */
  public ChainReport {
    faults = List.copyOf(faults);
    notChecked = List.copyOf(notChecked);
    unsigned = Set.copyOf(unsigned);
  }

  /** Returns whether there are no faults. This is no proof by itself, see {@link #verdict}. */
  public boolean isWhole() {
    return faults.isEmpty();
  }

  /**
   * Returns what is concluded about the list. {@link Verdict#VALID} proves that trusted keys have
   * signed these receipts in this order, and that it has all of them up to its end.
   */
  public Verdict verdict() {
    if (!isWhole()) {
      return Verdict.INVALID;
    }
    return unsigned.isEmpty() && endChecked ? Verdict.VALID : Verdict.CONSISTENT;
  }
}
