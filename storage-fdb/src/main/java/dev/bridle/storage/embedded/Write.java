package dev.bridle.storage.embedded;

/** What a transaction, or a batch of them, has last done to one key. */
sealed interface Write {

  /** The key holds this value. */
  @SuppressWarnings("ArrayRecordComponent")
  record Value(byte[] bytes) implements Write {}

  /** The key is removed. */
  record Cleared() implements Write {
    static final Cleared INSTANCE = new Cleared();
  }

  /** The number that was there before is raised by this much. */
  record Added(long delta) implements Write {}

  /** The value holds a versionstamp that is not known before the commit. */
  record Stamped() implements Write {
    static final Stamped INSTANCE = new Stamped();
  }
}
