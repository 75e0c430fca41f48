package dev.bridle.storage.embedded;

import java.util.function.Function;

/**
 * The state of the store at one version: what every transaction reads that takes its read version
 * until the next batch is published. Counted references say how long it is needed. Safe for many
 * threads.
 */
interface PublishedVersion {

  long version();

  /** Takes a reference, unless the last one has just been given back. */
  boolean retain();

  /** Gives a reference back. */
  void release();

  /** Returns the stored value, or null: this is on every read's path inside the package. */
  byte[] get(byte[] key);

  /** Runs {@code work} with a cursor over the stored keys of {@code span}, at its first key. */
  <T> T read(Span span, Function<StoredKeys, T> work);
}
