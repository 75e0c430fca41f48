package dev.bridle.harp.core;

import java.util.Locale;

/** How far a decision reaches. */
public enum Scope {
  /** A single use for the request and the artifact's hash. */
  ONCE,
  /** Until the decision expires; still one use, unless a policy says otherwise. */
  TIMEBOX,
  /** The session that {@code policyHints.sessionId} names. */
  SESSION;

  /** Returns the word of a decision. */
  public String spelled() {
    return name().toLowerCase(Locale.ROOT);
  }
}
