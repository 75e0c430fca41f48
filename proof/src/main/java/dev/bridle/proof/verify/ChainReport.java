package dev.bridle.proof.verify;

import java.util.List;

/**
 * The result of verifying a session's chain. Only {@link #isWhole} and {@link #isComplete} together
 * prove that the keys of the set have signed all of these receipts in this order. {@link #isWhole}
 * alone proves nothing about their origin: anybody can make a chain without signatures, or one that
 * is signed by a key outside of the set. Neither proves that the list has all receipts, see {@link
 * #endChecked}.
 *
 * @param receipts how many were verified
 * @param faults ordered by position; empty if the chain is whole
 * @param notChecked the checks of signatures and keys that could not be made, ordered by position;
 *     empty if the report is complete. A receipt that fails a check is in the faults instead.
 * @param endChecked whether the newest receipts were held against a head from elsewhere. Without
 *     one, receipts that are missing at the end can't be noticed.
 */
public record ChainReport(
    int receipts, List<ChainFault> faults, List<NotChecked> notChecked, boolean endChecked) {
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
  }

  /**
   * Returns whether there are no faults. This is no proof by itself: signatures that could not be
   * checked are no faults, see {@link #isComplete}.
   */
  public boolean isWhole() {
    return faults.isEmpty();
  }

  /**
   * Returns whether all signatures of the receipts without faults could be checked, with the time
   * at which their keys signed. Each of these receipts has a signature then. This is no proof by
   * itself: what was checked may have failed, see {@link #isWhole}.
   */
  public boolean isComplete() {
    return notChecked.isEmpty();
  }
}
