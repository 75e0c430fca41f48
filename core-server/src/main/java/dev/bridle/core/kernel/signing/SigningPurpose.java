package dev.bridle.core.kernel.signing;

/** What a key signs. A key verifies signatures of its own purpose only. */
public enum SigningPurpose {
  /** Access tokens. */
  TOKEN("token"),
  /** The card of this harness. */
  CARD("card"),
  /** Receipts. */
  RECEIPT("receipt");

  private final String spelling;

  SigningPurpose(String spelling) {
    this.spelling = spelling;
  }

  /** Returns the stable name of the purpose in storage keys. */
  public String spelling() {
    return spelling;
  }
}
