package dev.bridle.storage.embedded;

/** A cursor over the stored keys of one range at one version. Not thread-safe. */
interface StoredKeys {

  /** Returns whether the cursor is at a key; required by {@link #key()} and {@link #value()}. */
  boolean isValid();

  byte[] key();

  byte[] value();

  void next();

  void previous();

  void seekToFirst();

  void seekToLast();

  /** Moves to the first key at or after {@code key}. */
  void seek(byte[] key);

  /** Moves to the last key before {@code key}. */
  void seekBefore(byte[] key);
}
