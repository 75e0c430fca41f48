package dev.bridle.harp.evidence;

import dev.bridle.proof.verify.OneLine;

/** Says that a check of evidence has failed. */
public final class EvidenceException extends Exception {
  private static final long serialVersionUID = 1;

  private final EvidenceCheck check;

  EvidenceException(EvidenceCheck check, String why) {
    super(OneLine.of(why));
    this.check = check;
  }

  /** Fails a check unless something holds. */
  static void demand(boolean holds, EvidenceCheck check, String why) throws EvidenceException {
    if (!holds) {
      throw new EvidenceException(check, why);
    }
  }

  /** Returns the check that has failed. */
  public EvidenceCheck check() {
    return check;
  }
}
