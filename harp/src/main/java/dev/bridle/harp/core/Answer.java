package dev.bridle.harp.core;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;

/** What a person decided. HARP's drafts spell it in two ways; the first is what is written. */
public enum Answer {
  /** The action may be done. */
  ALLOW("allow", "approve"),
  /** The action may not be done. */
  DENY("deny", "reject");

  private final String spelled;
  private final String alias;

  Answer(String spelled, String alias) {
    this.spelled = spelled;
    this.alias = alias;
  }

  /** Returns the word of a core decision. */
  public String spelled() {
    return spelled;
  }

  /** Returns the word of a gateway's decision, which is an alias in a core decision. */
  public String alias() {
    return alias;
  }

  /**
   * Returns the answer of a word.
   *
   * @throws HarpException {@code UNSUPPORTED} if it is none
   */
  public static Answer of(String word) throws HarpException {
    for (Answer each : values()) {
      if (each.spelled.equals(word) || each.alias.equals(word)) {
        return each;
      }
    }
    throw new HarpException(
        HarpErrorCode.UNSUPPORTED, "unknown_decision", "The decision is neither allow nor deny.");
  }
}
