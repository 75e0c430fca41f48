package dev.bridle.harp.error;

/** The error codes of HARP 0.2, by which the other side decides what to do. */
public enum HarpErrorCode {
  /** Canonical bytes can't be made, or not in a way that all agree on. */
  CANONICALIZATION("HARP_ERR_CANONICALIZATION", false),
  /** A hash is not that of the content. */
  HASH_MISMATCH("HARP_ERR_HASH_MISMATCH", false),
  /** A signature is not one of the key that it names, or nobody knows that key. */
  SIGNATURE_INVALID("HARP_ERR_SIGNATURE_INVALID", false),
  /** The time of an artifact or a decision is over. */
  EXPIRED("HARP_ERR_EXPIRED", false),
  /** A decision was used before, or one like it. */
  REPLAY("HARP_ERR_REPLAY", false),
  /** A decision is of a scope that it can't have. */
  SCOPE("HARP_ERR_SCOPE", false),
  /** A policy denies it. */
  POLICY_DENY("HARP_ERR_POLICY_DENY", false),
  /** A message is not what its schema says, or did not arrive. */
  TRANSPORT("HARP_ERR_TRANSPORT", false),
  /** An algorithm, a type or a value that this version does not know. */
  UNSUPPORTED("HARP_ERR_UNSUPPORTED", false),
  /** There are too many prompts. */
  PROMPT_RATE_LIMIT("HARP_PROMPT_ERR_RATE_LIMIT", true),
  /** A prompt is for something that this version does not serve. */
  PROMPT_TARGET_UNSUPPORTED("HARP_PROMPT_ERR_TARGET_UNSUPPORTED", false),
  /** A prompt is too large. */
  PROMPT_TOO_LARGE("HARP_PROMPT_ERR_TOO_LARGE", false),
  /** A session is in no state for it. */
  SESSION_INVALID_STATE("HARP_SESSION_ERR_INVALID_STATE", false),
  /** A snapshot has the id of another one. */
  SESSION_DUPLICATE_SNAPSHOT("HARP_SESSION_ERR_DUPLICATE_SNAPSHOT", false),
  /** A session has ended. */
  SESSION_CLOSED("HARP_SESSION_ERR_SESSION_CLOSED", false);

  private final String spelled;
  private final boolean retryable;

  HarpErrorCode(String spelled, boolean retryable) {
    this.spelled = spelled;
    this.retryable = retryable;
  }

  /** Returns the code as it is on the wire. */
  public String spelled() {
    return spelled;
  }

  /** Returns whether the same message may succeed later. */
  public boolean retryable() {
    return retryable;
  }
}
