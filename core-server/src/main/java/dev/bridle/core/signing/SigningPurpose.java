package dev.bridle.core.signing;

import java.util.Arrays;
import java.util.Optional;

/** What a key signs. A key of one purpose verifies nothing of another. */
public enum SigningPurpose {
  /** Access tokens. */
  TOKEN("token"),
  /** Agent cards. */
  CARD("card");

  private final String spelling;

  SigningPurpose(String spelling) {
    this.spelling = spelling;
  }

  /** Returns the purpose as keys of storage spell it, which never changes. */
  public String spelling() {
    return spelling;
  }

  /** Returns the purpose of a spelling; empty where there is none. */
  public static Optional<SigningPurpose> of(String spelling) {
    return Arrays.stream(values()).filter(one -> one.spelling.equals(spelling)).findFirst();
  }
}
