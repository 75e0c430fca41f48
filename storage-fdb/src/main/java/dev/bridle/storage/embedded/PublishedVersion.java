package dev.bridle.storage.embedded;

import java.util.function.Function;

/**
 * The state of the store at one version, read by all transactions that begin before the next batch
 * is published. Reference-counted. Thread-safe.
 */
interface PublishedVersion {

  long version();

  /** Takes a reference; false if the last one has just been released. */
  boolean retain();

  /** Releases a reference. */
  void release();

  /** Returns the stored value, or null; not Optional, since every read calls this. */
  byte[] get(byte[] key);

  /** Runs {@code work} with a cursor over the stored keys of {@code span}, at its first key. */
  <T> T read(Span span, Function<StoredKeys, T> work);
}
