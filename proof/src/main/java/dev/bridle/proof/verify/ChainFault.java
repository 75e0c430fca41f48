package dev.bridle.proof.verify;

import java.util.Locale;

/**
 * What is wrong with a receipt's place in its chain.
 *
 * @param position of the receipt in the list that was verified, from 0
 * @param receiptId its id, as it states it; empty if it has none that can be read
 * @param detail for people. One line: control characters of quoted content are escaped.
 */
public record ChainFault(Kind kind, int position, String receiptId, String detail) {
  /** The kinds of faults. */
  public enum Kind {
    /** A check of the receipt itself has failed. */
    BROKEN_RECEIPT,
    /** It is of another session than the first one. */
    OTHER_SESSION,
    /** It has been in the list before. */
    REPEATED,
    /** It stands before the receipt that it follows. */
    SWAPPED,
    /** The receipt that it follows, or that the expected head names, is not in the list. */
    DROPPED,
    /** It follows the same receipt as another one of the same era: the issuer has forked it. */
    FORKED,
    /**
     * It follows the same receipt as another one of a different era: the issuer's storage was
     * restored in between, and what lies on one of the two branches is no longer known to it.
     */
    HISTORY_DIVIDED,
    /** Its index is not the next one. */
    WRONG_INDEX,
    /** Its era is before that of the receipt that it follows. */
    WRONG_ERA,
    /** The root over its earlier receipts is another one. */
    WRONG_ROOT;

    /** Returns the name for people and programs, such as {@code history_divided}. */
    public String spelling() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Escapes the detail. */
  public ChainFault {
    detail = OneLine.of(detail);
  }

  /** Returns one line. */
  @Override
  public String toString() {
    return kind.spelling() + " at " + position + " (" + OneLine.of(receiptId) + "): " + detail;
  }
}
