package dev.bridle.proof.verify;

import java.util.Locale;

/** What a verification concludes. The worst comes last. */
public enum Verdict {
  /** No check failed, and a key that is trusted has signed it. */
  VALID,
  /** No check failed, but it is not proven where it comes from, or that nothing is missing. */
  CONSISTENT,
  /** A check failed; or no key that is trusted has signed it. */
  INVALID;

  /** Returns the worse of two. */
  public Verdict and(Verdict other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /** Returns the name for people and programs, such as {@code valid}. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
