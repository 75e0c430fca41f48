package dev.bridle.cli.receipt;

/** Verifies receipts in the order in which the files have them. */
interface ReceiptSink {
  /** Verifies a receipt, now or with the others of its session. */
  void verify(Place place, byte[] receipt, IssuerKeys keys);

  /** Ends the list of receipts. */
  default void end() {}
}
