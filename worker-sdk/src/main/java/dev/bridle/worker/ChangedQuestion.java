package dev.bridle.worker;

/** What has become of a permission request whose action has changed. */
public enum ChangedQuestion {
  /** It was open, and nobody can answer it any more. */
  WITHDRAWN,
  /** The action was allowed, which counts for nothing any more. */
  VOIDED,
  /** It was denied, has ended otherwise, or was not asked yet: nothing has changed. */
  UNCHANGED
}
