package dev.bridle.harp.evidence;

import java.util.Locale;

/** The checks of an approval's evidence, in the order in which they are made. */
public enum EvidenceCheck {
  /** There is evidence, once, and it has the members of its format. */
  EVIDENCE,
  /** The receipt has the hash of the evidence. */
  EVIDENCE_HASH,
  /** The evidence is of the approval that the receipt names: same task, action, decision, time. */
  APPROVAL,
  /** As many different people as were required have answered, and they are those of the receipt. */
  QUORUM,
  /** The issuer's key has signed whose device it is, before the decision. */
  ENROLMENT,
  /** The device's key has signed the decision. */
  DECISION_SIGNATURE,
  /** The decision is about this place, says what was counted, was in time, and counts once. */
  DECISION,
  /** The device was not revoked before the decision. */
  REVOCATION,
  /** The reason that was given with the decision is the one that is signed. */
  REASON,
  /** What was shown has the hash that was signed, and is about this approval. */
  ARTIFACT,
  /** The issuer's key has signed what was shown, where that has a signature. */
  ISSUER,
  /** The lines of the task's log have the digest of the receipt. */
  LOG,
  /** What was executed is what was shown, at most once, and nothing that was denied. */
  EXECUTED;

  /** Returns the name for people and programs, such as {@code evidence_hash}. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
