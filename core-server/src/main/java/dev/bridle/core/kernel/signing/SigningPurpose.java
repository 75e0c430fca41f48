package dev.bridle.core.kernel.signing;

/** What a key signs. A key of one purpose verifies nothing of another. */
public enum SigningPurpose {
  /** Access tokens. */
  TOKEN("token"),
  /** The card of this harness. */
  CARD("card");

  private final String spelling;

  SigningPurpose(String spelling) {
    this.spelling = spelling;
  }

  /** Returns the purpose as keys of storage spell it, which never changes. */
  public String spelling() {
    return spelling;
  }
}
