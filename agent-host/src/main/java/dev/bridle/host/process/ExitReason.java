package dev.bridle.host.process;

/** Why an agent's process ended. */
public enum ExitReason {
  /** By itself, or by somebody else's signal. */
  EXITED,
  /** It was asked to stop, and did, or was killed once the grace was over. */
  STOPPED,
  /** It and what it started had more memory resident than allowed. */
  MEMORY_LIMIT,
  /** This host killed it for the reason that the sentence gives. */
  KILLED
}
