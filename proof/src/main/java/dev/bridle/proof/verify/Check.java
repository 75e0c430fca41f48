package dev.bridle.proof.verify;

import java.util.Locale;

/** The checks of a receipt, in the order in which they are made. */
public enum Check {
  /** The bytes are strict JSON, see {@link dev.bridle.proof.json.StrictJson}. */
  JSON,
  /** They meet the published schema. */
  SCHEMA,
  /** {@code chain.receipt_hash} is the hash of the content. */
  HASH,
  /** {@code chain.previous_receipt_hash} and the position are those that follow the history. */
  LINK,
  /** {@code chain.merkle_root} is the root over the session's earlier receipts. */
  MERKLE_ROOT,
  /** Each signature is of the key that it names, and the issuer's key is among them. */
  SIGNATURE,
  /**
   * Each key was valid when it signed; the issuer signed when it issued, and no other key before
   * that second.
   */
  KEY_VALIDITY;

  /** Returns the name for people and programs, such as {@code merkle_root}. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
