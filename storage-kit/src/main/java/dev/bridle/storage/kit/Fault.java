package dev.bridle.storage.kit;

import dev.bridle.storage.StoreException.Code;

/** What a {@link FaultyStore} does with one commit. */
public enum Fault {
  /** Commits. */
  NONE,
  /** Writes nothing and says so. */
  CONFLICT,
  /** Writes nothing and says that the transaction was too old. */
  TOO_OLD,
  /** Commits, and says that the outcome is unknown. */
  UNKNOWN_BUT_APPLIED,
  /** Writes nothing, and says that the outcome is unknown. */
  UNKNOWN_AND_LOST,
  /** Commits, and says that the transaction ran out of its time, which no retry follows. */
  TIMED_OUT_BUT_APPLIED,
  /** Writes nothing, and says that the transaction ran out of its time, which no retry follows. */
  TIMED_OUT_AND_LOST;

  boolean applies() {
    return this == NONE || this == UNKNOWN_BUT_APPLIED || this == TIMED_OUT_BUT_APPLIED;
  }

  /** Returns what the caller is told; not asked of {@link #NONE}. */
  Code code() {
    return switch (this) {
      case NONE, CONFLICT -> Code.CONFLICT;
      case TOO_OLD -> Code.TRANSACTION_TOO_OLD;
      case UNKNOWN_BUT_APPLIED, UNKNOWN_AND_LOST -> Code.COMMIT_UNKNOWN;
      case TIMED_OUT_BUT_APPLIED, TIMED_OUT_AND_LOST -> Code.TIMED_OUT;
    };
  }
}
