package dev.bridle.cli.receipt;

import dev.bridle.proof.statement.ChainStatement;

/** Verifies receipts in the order in which the files have them. */
interface ReceiptSink {
  /** Verifies a receipt, now or with the others of its session. */
  void verify(Place place, byte[] receipt, IssuerKeys keys);

  /** Takes what an issuer says of a chain, whose signature was checked as far as there are keys. */
  default void stated(ChainStatement.Verified statement, IssuerKeys keys) {}

  /** Returns whether the receipts of a session are verified as its chain. */
  default boolean isOfChains() {
    return false;
  }

  /** Ends the list of receipts. */
  default void end() {}
}
