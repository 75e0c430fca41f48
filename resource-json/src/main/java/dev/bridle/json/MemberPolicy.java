package dev.bridle.json;

/** Selects which members of a message are written. */
public enum MemberPolicy {
  /**
   * Everything that a REST response has: empty lists, maps and texts are values, and absent members
   * are {@code null} or {@code {}} where their rules say so.
   */
  WHOLE,
  /**
   * Set members that are not empty, and all numbers and booleans that can't be absent. For event
   * payloads. Commitments are made of these bytes, so they never change.
   */
  SPARSE,
  /**
   * Like {@link #SPARSE}, without zeros and {@code false}. For stored hashes, which are recomputed,
   * so a member that is added to a message later does not change them.
   */
  NON_DEFAULT
}
