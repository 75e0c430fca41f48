package dev.bridle.storage.embedded;

/** The last write of a transaction or batch to one key. */
sealed interface Write {

  /** The key holds this value. */
  @SuppressWarnings("ArrayRecordComponent")
  record Value(byte[] bytes) implements Write {}

  /** The key is removed. */
  record Cleared() implements Write {
    static final Cleared INSTANCE = new Cleared();
  }

  /** A number is added to the stored one. */
  record Added(long delta) implements Write {}

  /** The value holds a versionstamp that is not known before the commit. */
  record Stamped() implements Write {
    static final Stamped INSTANCE = new Stamped();
  }
}
