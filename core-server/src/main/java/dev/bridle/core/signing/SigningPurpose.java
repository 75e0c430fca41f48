package dev.bridle.core.signing;

/** What a key signs. A key of one purpose verifies nothing of another. */
public enum SigningPurpose {
  /** Access tokens. */
  TOKEN("token");

  private final String spelling;

  SigningPurpose(String spelling) {
    this.spelling = spelling;
  }

  /** Returns the purpose as keys of storage spell it, which never changes. */
  String spelling() {
    return spelling;
  }
}
